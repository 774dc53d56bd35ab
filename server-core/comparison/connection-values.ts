import { pointerSteps } from '../protocol/json-pointer.ts'
import { MetaKey } from '../protocol/meta-keys.ts'

/** Members of a message that hold values of one connection: ids, tokens, cursors, and states that their maker reads. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'requestId',
  'progressToken',
  'requestState',
  'nextCursor',
  'cursor',
  'taskId',
  'elicitationId',
  'traceparent',
  MetaKey.subscriptionId,
])
/** Members of parameters and results that hold such members too. */
const HOLDERS: ReadonlySet<string> = new Set(['_meta', 'task'])

/** Returns whether a member of the parameters of a message holds a value that belongs to one connection. */
export function isOfOneConnection(name: string): boolean {
  return OF_ONE_CONNECTION.has(name)
}

/**
 * Returns whether a place of a message holds a value that belongs to one connection. What a tool takes and returns
 * does not, whatever its members are called.
 *
 * @param pointer a JSON pointer that begins with `/params` or `/result`
 */
export function isConnectionValue(pointer: string): boolean {
  const [, first = '', second, ...others] = pointerSteps(pointer)
  if (second === undefined) return isOfOneConnection(first)
  return others.length === 0 && HOLDERS.has(first) && isOfOneConnection(second)
}
