import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Transcript } from '../../passive/transcript.ts'
import type { ProbeConnection } from '../../probe/connection.ts'

/** What the server declares on a connection: in the handshake, or when it is discovered. */
export async function ownCapabilities(connection: ProbeConnection): Promise<JsonObject> {
  const opening = connection.isModern ? await connection.request('server/discover') : connection.initialized
  const declared = opening?.['capabilities']
  return isJsonObject(declared) ? declared : {}
}

/** What the server declared in the frames of a transcript: on that connection, else on any; undefined if unseen. */
export function seenCapabilities(transcript: Transcript, connection: number): JsonObject | undefined {
  let declared: JsonObject | undefined
  for (const { message, answers, frame } of transcript.messages) {
    const method = answers?.message['method']
    if (method !== 'initialize' && method !== 'server/discover') continue
    const { result } = message
    if (!isJsonObject(result) || !isJsonObject(result['capabilities'])) continue
    if (frame.connection.number === connection) return result['capabilities']
    declared ??= result['capabilities']
  }
  return declared
}
