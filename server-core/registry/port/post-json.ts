import type { MessageEnd } from './end.ts'

/**
 * Posts a message whose content came from an author. What cannot be cloned goes as JSON sees it, as it would
 * have on the wire. Throws a `TypeError` if JSON cannot carry it either.
 */
export function postJson(end: MessageEnd, message: object): void {
  try {
    end.post(message)
  } catch {
    end.post(JSON.parse(JSON.stringify(message)))
  }
}
