import type { MessageEndpoint } from './message-endpoint.ts'

/**
 * Posts a message whose content came from an author. What cannot be cloned goes as JSON sees it, as it would
 * have on the wire. Throws a `TypeError` if JSON cannot carry it either, and a `RangeError` if it is too long.
 */
export function postJson(end: MessageEndpoint, message: object): void {
  try {
    end.post(message)
  } catch (error) {
    // As JSON it would be as deep and as long.
    if (error instanceof RangeError) throw error
    end.post(JSON.parse(JSON.stringify(message)))
  }
}
