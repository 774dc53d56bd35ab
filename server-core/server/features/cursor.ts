import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'

/**
 * Cursors of paginated lists (specification: Pagination). A cursor names the last item that was shown, so it still
 * holds when something else in the list changed, after a restart, and in another process.
 */
export function writeCursor(list: string, lastKey: string): string {
  return Buffer.from(JSON.stringify([list, lastKey])).toString('base64url')
}

/**
 * The key that a cursor of `list` names, or undefined if there is no cursor.
 * Throws a `ProtocolError` (`invalidParams`) for anything that is not a cursor of that list.
 */
export function readCursor(list: string, cursor: unknown): string | undefined {
  if (cursor === undefined) return undefined
  if (typeof cursor === 'string') {
    try {
      const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
      if (Array.isArray(parsed) && parsed[0] === list && typeof parsed[1] === 'string') return parsed[1]
    } catch {
      // Falls through: the same answer as for a cursor of another list.
    }
  }
  throw badCursor()
}

/** The error for a cursor that the list did not give (specification: Pagination, Error Handling). */
export function badCursor(): ProtocolError {
  return new ProtocolError(
    ErrorCode.invalidParams,
    'Invalid cursor: expected one that this list gave; start again without a cursor',
  )
}
