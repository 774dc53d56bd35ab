import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import type { ProbeConnection, Sent } from '../../probe/connection.ts'
import { isSameId, type InMessage } from '../../probe/inbox.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'

export const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

/** A listen that was sent: its request, and what has come for it. */
export type OpenListen = {
  readonly id: unknown
  readonly sent: Sent
  /** The place in `received` from which its messages come. */
  readonly from: number
  /** The first message that came for it. */
  readonly first: InMessage | undefined
}

/** The tag of a message of a listen; undefined if it has none. */
export function tagOf(message: JsonObject): unknown {
  const params = message['params'] ?? message['result']
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) ? meta[MetaKey.subscriptionId] : undefined
}

/** Whether a message belongs to a listen: by its stream over HTTP, elsewhere by its tag or id. */
export function belongs(connection: ProbeConnection, item: InMessage, listen: OpenListen): boolean {
  if (connection.transport === 'http') return item.source === listen.sent.exchange
  const { message } = item
  if (message['method'] === undefined) return isSameId(message['id'], listen.id)
  return message['method'] === ACKNOWLEDGED || String(tagOf(message)) === String(listen.id)
}

/** Sends `subscriptions/listen` and waits for the first message that comes for it. */
export async function sendListen(
  connection: ProbeConnection,
  notifications: JsonObject,
  id: unknown = connection.nextId(),
): Promise<OpenListen> {
  const from = connection.received.length
  const sent = await connection.send(connection.compose('subscriptions/listen', { notifications }, { id }))
  const listen: OpenListen = { id, sent, from, first: undefined }
  const first = await connection.waitFor((item) => belongs(connection, item, listen), { from })
  return { ...listen, first }
}

/** Opens a listen that must be acknowledged; not applicable where the server knows no listens. */
export async function openListen(
  probe: ServerProbe,
  connection: ProbeConnection,
  notifications: JsonObject,
  id?: unknown,
): Promise<OpenListen> {
  const listen = await sendListen(connection, notifications, id)
  const message = listen.first?.message
  if (message?.['method'] === ACKNOWLEDGED) return listen
  if (message !== undefined) requireListens(probe, message)
  return probe.inconclusive('the listen was not acknowledged')
}

/** Ends the check as not applicable if a server that announces nothing refuses a listen as unknown. */
export function requireListens(probe: ServerProbe, answer: JsonObject): void {
  const { error } = answer
  const announces = [
    'tools.listChanged',
    'prompts.listChanged',
    'resources.listChanged',
    'resources.subscribe',
  ]
  const isUnknown = isJsonObject(error) && error['code'] === -32601
  if (isUnknown && !announces.some((path) => probe.declares(path)))
    probe.notApplicable('the server declares neither listChanged nor subscribe, and knows no listens')
}
