import { getCallSites } from 'node:util'
import { Script } from 'node:vm'

/** Calls a function with these arguments. */
type Call = (called: (...args: never) => unknown, ...args: readonly unknown[]) => void

const CODE = '(called, ...args) => called(...args)'
/** The column of the call in the code. */
const CALL_COLUMN = CODE.lastIndexOf('called(')
/** This function, the one that calls it, and who called that. */
const DEPTH = 3

/**
 * Returns a function whose calls stand where the caller of this function was called. Playwright shows a test where it was
 * registered, and without this that would be a file of this package.
 */
export function calledFrom(): Call {
  const caller = getCallSites(DEPTH)[DEPTH - 1]
  if (caller === undefined) return (called, ...args) => void Reflect.apply(called, undefined, args)
  const { scriptName, lineNumber, columnNumber } = caller
  const script = new Script(CODE, {
    filename: scriptName,
    lineOffset: lineNumber - 1,
    // Older versions of Node have no column here.
    columnOffset: Number.isInteger(columnNumber) ? Math.max(0, columnNumber - 1 - CALL_COLUMN) : 0,
  })
  return script.runInThisContext() as Call
}
