import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import type { Reply } from '../../exam/reply.ts'
import { ACKNOWLEDGED } from './listen.ts'

/** A listen of the client that the exam server has taken. */
export type TakenListen = {
  readonly id: unknown
  readonly filter: JsonObject
  /** Sends a notification on it. */
  readonly notify: (method: string, params?: JsonObject, id?: unknown) => void
}

/**
 * Takes the listens of the client and acknowledges them. Returns the list to which they are added.
 *
 * @param acknowledge what is accepted of a filter, and under which id; undefined acknowledges nothing
 * @param reply how the request is answered; it stays open if not given
 */
export function acceptListens(
  exam: ClientExam,
  acknowledge: (filter: JsonObject, id: unknown) => { accepted: JsonObject; id: unknown } | undefined = (
    accepted,
    id,
  ) => ({ accepted, id }),
  reply: (listen: TakenListen, count: number) => Reply | Promise<Reply> = () => ({ silent: true }),
): TakenListen[] {
  const taken: TakenListen[] = []
  exam.on('subscriptions/listen', (turn) => {
    const { id } = turn.request
    const filter = isJsonObject(turn.params['notifications']) ? turn.params['notifications'] : {}
    const notify = (method: string, params: JsonObject = {}, tag: unknown = id) => {
      turn.send({ jsonrpc: '2.0', method, params: { ...params, _meta: { [MetaKey.subscriptionId]: tag } } })
    }
    const listen = { id, filter, notify }
    taken.push(listen)
    const acknowledged = acknowledge(filter, id)
    if (acknowledged !== undefined)
      notify(ACKNOWLEDGED, { notifications: acknowledged.accepted }, acknowledged.id)
    return reply(listen, turn.count)
  })
  return taken
}

/** The result that ends a listen in order. */
export function endOfListen({ id }: TakenListen): Reply {
  return { result: { resultType: 'complete', _meta: { [MetaKey.subscriptionId]: id } } }
}
