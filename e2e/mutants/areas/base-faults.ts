import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { ChangeMessage } from '../mutant.ts'

const isResponse = (message: object) => !('method' in message)
const isRequest = (message: JsonObject) => typeof message['method'] === 'string' && 'id' in message

/** Changes the error of each message that has one. */
export function withError(change: (error: JsonObject) => JsonObject): ChangeMessage {
  return (message) =>
    isJsonObject(message['error']) ? { ...message, error: change(message['error']) } : message
}

/** Replaces the ids of requests, and restores the old ids in their answers. */
export function withIds(idOf: (request: JsonObject, count: number) => unknown): {
  readonly outgoing: ChangeMessage
  readonly incoming: ChangeMessage
} {
  return {
    outgoing: (message, { peer }) => {
      if (!isRequest(message) || message['method'] === 'initialize') return message
      const count = Number(peer.get('requests') ?? 0) + 1
      peer.set('requests', count)
      const id = idOf(message, count)
      peer.set(JSON.stringify(id), message['id'])
      return { ...message, id }
    },
    incoming: (message, { peer }) => {
      if (!isResponse(message)) return message
      const key = JSON.stringify(message['id'])
      return peer.has(key) ? { ...message, id: peer.get(key) } : message
    },
  }
}

export const textCode = withError((error) => ({ ...error, code: String(error['code']) }))
const STACK = 'Error: broken\n    at run (file:///server.js:10:5)'
export const stackMessage = withError((error) => ({ ...error, message: STACK }))

/** Bytes as Latin-1, in which characters beyond it are lost. */
export const latin1 = (bytes: Buffer) => Buffer.from(bytes.toString(), 'latin1')

/** What becomes of characters of four bytes when each piece is decoded on its own. */
export const decodedApart: ChangeMessage = (message) => {
  const text = JSON.stringify(message)
  if (!text.includes('😀')) return message
  const changed: unknown = JSON.parse(text.replaceAll('😀', '\uFFFD\uFFFD'))
  return changed
}
