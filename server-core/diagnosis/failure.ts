import { ConnectError } from '../client/errors.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { visibleText } from '../protocol/visible-text.ts'
import { TransportError, type TransportEvidence } from '../ports/contract.ts'
import type { Failure } from './failure-schema.ts'
import type { Masking } from '../capture/redaction.ts'
import { explainFailure, type FailureMoment, type FailurePlace } from './explain-failure.ts'

export type FailureOptions = {
  /** Masks stored secrets in what the peer sent. */
  readonly masking: Masking
  /** What the transport knew at the end, if more than the error has. */
  readonly evidence?: TransportEvidence
  /** Where the remedy is looked for; the window if not given. */
  readonly place?: FailurePlace
}

/**
 * Turns what is known about a lost or never made connection into cause, evidence and remedy. Peers' texts are
 * made safe to show, and stored secrets that they repeat are masked.
 *
 * @param error what was thrown or what closed the connection
 */
export function failureOf(error: unknown, moment: FailureMoment, options: FailureOptions): Failure {
  const { masking, evidence = {}, place = 'window' } = options
  const chain = causesOf(error)
  const transport = chain.find((each) => each instanceof TransportError)
  const facts: TransportEvidence = {
    ...transport?.evidence,
    ...(error instanceof ConnectError ? error.evidence : {}),
    ...evidence,
  }
  const authorization = chain.find((each) => each instanceof OAuthError)
  const known = error instanceof ConnectError ? error.code : (transport?.code ?? codeOf(error))
  const code = authorizationCode(authorization) ?? known
  const { message } = authorization ?? (error instanceof Error ? error : new Error(String(error)))
  const shown = (text: string): string => visibleText(masking.text(text))
  const words = explainFailure({ code, message: visibleText(message), moment, place, facts })
  return {
    code,
    title: shown(words.title),
    explanation: shown(words.explanation),
    ...(facts.stderr !== undefined && { stderr: shown(facts.stderr) }),
    ...(facts.strayOutput !== undefined && { strayOutput: shown(facts.strayOutput) }),
    ...(facts.exitCode !== undefined && { exitCode: facts.exitCode }),
    ...(facts.signal !== undefined && { signal: facts.signal }),
    ...(facts.pid !== undefined && { pid: facts.pid }),
    ...(facts.httpStatus !== undefined && { httpStatus: facts.httpStatus }),
    ...(facts.httpHeaders !== undefined && { httpHeaders: masking.headers(facts.httpHeaders) }),
    ...(facts.httpBody !== undefined && { httpBody: shown(facts.httpBody) }),
    ...(facts.afterMs !== undefined && { afterMs: facts.afterMs }),
    at: Date.now(),
  }
}

/** What the user can do about an authorization; undefined where a token of the server's own is wanted rather. */
function authorizationCode(error: OAuthError | undefined): string | undefined {
  if (error === undefined || error.code === 'not-offered') return undefined
  return error.code === 'user-needed' ? 'authorization-needed' : 'authorization-failed'
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (
    let each = error;
    each !== undefined && chain.length < 8;
    each = each instanceof Error ? each.cause : undefined
  ) {
    chain.push(each)
  }
  return chain
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
}
