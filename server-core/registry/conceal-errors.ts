import { randomUUID } from 'node:crypto'
import { ElicitationRefusedError } from './answers.ts'
import { isAnswerError } from './handler-errors.ts'
import type { ErrorMapper, HandlerCall } from './middleware.ts'

/** Receives the details that are not sent to clients, for the server's own log. */
export type ReportError = (reference: string, error: unknown, call: HandlerCall) => void

/**
 * An error mapper for a `Registry` whose clients are strangers: what handlers throw may hold paths, queries and
 * secrets, so clients get a sentence and a reference, and `report` gets the rest. Errors that are meant as answers (a
 * `ProtocolError`, a refusal of the user) stay what they are. Without it clients receive the error's message, never
 * its stack or cause.
 *
 * @example
 * ```ts
 * import { concealErrors, Registry } from 'patchbay/server'
 *
 * const mapError = concealErrors((reference, error, { kind, name }) => console.error(reference, kind, name, error))
 * const registry = new Registry({ mapError })
 * registry.addTool({ name: 'fails', run: () => Promise.reject(new Error('password=hunter2')) })
 * ```
 */
export function concealErrors(report: ReportError): ErrorMapper {
  return (error, call) => {
    if (isAnswerError(error) || error instanceof ElicitationRefusedError) return undefined
    const reference = randomUUID()
    report(reference, error, call)
    return new Error(`It failed. The log of the server says why, under ${reference}.`)
  }
}
