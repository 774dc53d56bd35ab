/**
 * Puts text on the clipboard.
 * @throws Error when the browser refuses, saying so.
 */
import { messageOf } from '../../server-core/protocol/error-message.ts'

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch (error) {
    const reason = messageOf(error)
    throw new Error(`The browser blocked access to the clipboard: ${reason}`, { cause: error })
  }
}
