import { ConnectError, RequestFailedError, type RequestFailureCode } from '../../client/errors.ts'
import { HostError } from '../../host/host-error.ts'
import { ProfileError } from '../../profile/profile-error.ts'
import { isAuthorizationFailure } from '../../diagnosis/authorization-failure.ts'
import { failureOf } from '../../diagnosis/failure.ts'
import type { FailurePlace } from '../../diagnosis/explain-failure.ts'
import { InstallError } from '../../install/install-error.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { TransportError } from '../../ports/contract.ts'
import { StorageError } from '../../workspace/storage-error.ts'
import { environmentHint } from './environment-hint.ts'
import { ExitCode, StartError, UnknownNameError, UnreachableError, UsageError } from '../output/exit-code.ts'
import { stderrTail } from '../output/stderr-tail.ts'
import { masking } from '../output/output.ts'

/** What went wrong, for stderr, and the exit code that says the same. */
export type DescribedFailure = { readonly code: ExitCode; readonly text: string }

const STDERR_LINES = 12
/** Of an HTTP body, or of text that is not a message. */
const BODY_LINES = 5
const LINE_WIDTH = 160
/** No answer came at all; the other failures are answers that cannot be used. */
const LOST: ReadonlySet<RequestFailureCode> = new Set(['timeout', 'cancelled', 'closed', 'transport'])

/**
 * Puts an error into words with cause and remedy. Nothing in it is made safe for a terminal yet.
 *
 * @param place where the remedy lies: in the flags, or in the window where the server is stored
 * @param variables the names of the variables given to a server that the flags start; undefined if they start none
 */
export function describeFailure(
  error: unknown,
  place: FailurePlace,
  variables?: readonly string[],
): DescribedFailure {
  if (error instanceof UsageError) return { code: ExitCode.usage, text: error.message }
  if (error instanceof UnreachableError) return { code: ExitCode.unreachable, text: error.message }
  if (error instanceof StartError) return { code: ExitCode.unreachable, text: error.message }
  if (error instanceof UnknownNameError) {
    const { code, text } = describeFailure(error.cause, place, variables)
    return { code, text: `${text}\n${error.message}` }
  }
  if (error instanceof ProtocolError) {
    const data = error.data === undefined ? '' : `\n${JSON.stringify(error.data, undefined, 2)}`
    return {
      code: ExitCode.toolError,
      text: `the server answered with error ${error.code}: ${error.message}${data}`,
    }
  }
  if (error instanceof HostError || error instanceof ProfileError) {
    const isUsage = error.code === 'NOT_FOUND' || error.code === 'AMBIGUOUS'
    return { code: isUsage ? ExitCode.usage : ExitCode.unreachable, text: error.message }
  }
  if (error instanceof InstallError) {
    const isUsage = !['broken', 'unsupported', 'contended'].includes(error.code)
    return { code: isUsage ? ExitCode.usage : ExitCode.unreachable, text: error.message }
  }
  if (error instanceof StorageError) return { code: ExitCode.unreachable, text: error.message }
  if (error instanceof RequestFailedError && error.code === 'input-required')
    return {
      code: ExitCode.unanswered,
      text: `The call could not finish: ${error.message}. --responder KIND=RULE says who answers (patchbay help answering).`,
    }
  if (error instanceof RequestFailedError && !LOST.has(error.code))
    return { code: ExitCode.toolError, text: error.message }
  if (error instanceof Error && isAuthorizationFailure(error))
    return { code: ExitCode.authorization, text: describeLoss(error, place) }
  if (error instanceof ConnectError || error instanceof RequestFailedError || error instanceof TransportError)
    return { code: ExitCode.unreachable, text: describeLoss(error, place, variables) }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: ExitCode.internal, text }
}

function describeLoss(error: Error, place: FailurePlace, variables?: readonly string[]): string {
  const moment = error instanceof RequestFailedError ? 'connected' : 'connecting'
  const failure = failureOf(error, moment, { masking, place })
  const lines = [`${failure.title}. ${failure.explanation}`]
  if (failure.strayOutput !== undefined)
    lines.push('It wrote this where a message was expected:', ...excerpt(failure.strayOutput, BODY_LINES))
  const body = failure.httpBody ?? ''
  if (body.trim() !== '') {
    const isPage = failure.httpHeaders?.['content-type']?.includes('html') === true
    lines.push('It answered:', ...excerpt(isPage ? pageText(body) : body, BODY_LINES))
  }
  if (failure.stderr !== undefined && failure.stderr.trim() !== '') {
    lines.push('Its last lines on stderr:', ...stderrTail(failure.stderr, STDERR_LINES))
    const hint = variables === undefined ? undefined : environmentHint(failure.stderr, variables)
    if (hint !== undefined && failure.code === 'process-exited') lines.push(hint)
  }
  return lines.join('\n')
}

/** The first lines of a text, each cut to a width that a terminal holds. */
function excerpt(text: string, most: number): readonly string[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const shown = lines
    .slice(0, most)
    .map((line) => (line.length > LINE_WIDTH ? `${line.slice(0, LINE_WIDTH)}…` : line))
  return lines.length > most ? [...shown, '…'] : shown
}

/** What a web page says, without its markup. */
function pageText(html: string): string {
  return html
    .replaceAll(/<(script|style|svg)\b.*?(<\/\1>|$)/gis, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/[ \t]+/g, ' ')
}
