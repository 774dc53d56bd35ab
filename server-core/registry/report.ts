import { inspect } from 'node:util'
import type { HandlerCall } from './middleware.ts'

/** Receives what a handler threw by mistake: a fault of its code. `entry` names the entry. */
export type Report = (error: unknown, entry: Pick<HandlerCall, 'kind' | 'name'>) => void

/** Characters of one report on standard error. */
const MAX_LENGTH = 8_192

/** Writes the error with its stack and causes to standard error, where a server on stdio has its log. */
export const reportToStandardError: Report = (error, { kind, name }) => {
  process.stderr.write(`The handler of ${kind} ${JSON.stringify(name)} failed: ${textOf(error)}\n`)
}

/** Calls the report; what the report throws goes to standard error, together with its arguments. */
export function reportError(report: Report, error: unknown, entry: Pick<HandlerCall, 'kind' | 'name'>): void {
  try {
    report(error, entry)
  } catch (fault) {
    reportToStandardError(error, entry)
    process.stderr.write(`And what should report it failed: ${textOf(fault)}\n`)
  }
}

function textOf(error: unknown): string {
  try {
    return inspect(error).slice(0, MAX_LENGTH)
  } catch {
    return 'it threw something that cannot be read'
  }
}
