import { ConnectError } from '../../client/errors.ts'
import { visibleText } from '../../protocol/visible-text.ts'
import { TransportError, type TransportEvidence } from '../../transports/contract.ts'
import type { Failure } from '../contract/servers.ts'
import { explainFailure, type FailureMoment } from './failure-words.ts'

/**
 * Turns what is known about a lost or never made connection into cause, evidence and remedy. Peers' texts are
 * made safe to show.
 *
 * @param error what was thrown or what closed the connection
 * @param evidence what the transport knew at the end, if more than the error has
 */
export function failureOf(error: unknown, moment: FailureMoment, evidence: TransportEvidence = {}): Failure {
  const chain = causesOf(error)
  const transport = chain.find((each) => each instanceof TransportError)
  const facts: TransportEvidence = {
    ...transport?.evidence,
    ...(error instanceof ConnectError ? error.evidence : {}),
    ...evidence,
  }
  const code = error instanceof ConnectError ? error.code : (transport?.code ?? codeOf(error))
  const message = error instanceof Error ? error.message : String(error)
  const words = explainFailure({ code, message: visibleText(message), moment, facts })
  return {
    code,
    title: words.title,
    explanation: words.explanation,
    ...(facts.stderr !== undefined && { stderr: visibleText(facts.stderr) }),
    ...(facts.noise !== undefined && { noise: visibleText(facts.noise) }),
    ...(facts.exitCode !== undefined && { exitCode: facts.exitCode }),
    ...(facts.signal !== undefined && { signal: facts.signal }),
    ...(facts.pid !== undefined && { pid: facts.pid }),
    ...(facts.httpStatus !== undefined && { httpStatus: facts.httpStatus }),
    ...(facts.httpHeaders !== undefined && { httpHeaders: { ...facts.httpHeaders } }),
    ...(facts.httpBody !== undefined && { httpBody: visibleText(facts.httpBody) }),
    ...(facts.afterMs !== undefined && { afterMs: facts.afterMs }),
    at: Date.now(),
  }
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
