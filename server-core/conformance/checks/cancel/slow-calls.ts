import { isSameId } from '../../probe/inbox.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { ProbeConnection, Sent } from '../../probe/connection.ts'
import type { FixtureTool } from '../../probe/fixture-tools.ts'
import { elapsed } from '../../probe/waits.ts'

export const CANCELLED = 'notifications/cancelled'
/** A call is cancelled after so long. */
const CANCEL_AFTER_MS = 200

/** The arguments that make a slow tool last about so long, where its schema names a time; its own otherwise. */
export function lasting({ tool, arguments: args }: FixtureTool, milliseconds: number): JsonObject {
  const schema = isJsonObject(tool['inputSchema']) ? tool['inputSchema'] : {}
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  if ('milliseconds' in properties) return { ...args, milliseconds }
  return 'duration' in properties ? { ...args, duration: milliseconds / 1_000 } : args
}

/** Cancels a request: in modern HTTP by closing its stream, elsewhere by a notification. */
export async function cancel(connection: ProbeConnection, sent: Sent, id: unknown): Promise<void> {
  if (connection.isModern && connection.transport === 'http') sent.exchange?.close()
  else await connection.notify(CANCELLED, { requestId: id })
}

/** Sends a call and cancels it after a while; undefined if it was answered before. */
export async function cancelledCall(
  connection: ProbeConnection,
  name: string,
  args: JsonObject,
  meta: JsonObject = {},
): Promise<{ readonly id: unknown; readonly sent: Sent } | undefined> {
  const params = { name, arguments: args, ...(Object.keys(meta).length > 0 && { _meta: meta }) }
  const message = connection.compose('tools/call', params)
  const sent = await connection.send(message)
  await elapsed(CANCEL_AFTER_MS)
  const isOver = connection.received.some(({ message: answer }) => isSameId(answer['id'], message.id))
  const isGone = connection.transport === 'http' && sent.exchange?.isEnded === true
  if (isOver || isGone) return undefined
  await cancel(connection, sent, message.id)
  return { id: message.id, sent }
}
