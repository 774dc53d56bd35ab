import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { isRequestId, type JsonRpcNotification, type RequestId } from '../protocol/messages.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { Channel } from './channel.ts'
import { withEnvelope } from './envelope.ts'
import { RequestFailedError } from './errors.ts'

/** What a listen asks for (2026-07-28: subscriptions). */
export type ListenFilter = {
  readonly toolsListChanged?: true
  readonly promptsListChanged?: true
  readonly resourcesListChanged?: true
  readonly resourceSubscriptions?: readonly string[]
  /** Tasks whose status is notified (extension `io.modelcontextprotocol/tasks`). */
  readonly taskIds?: readonly string[]
  /** What other extensions deliver. */
  readonly [extension: string]: unknown
}

/** An open `subscriptions/listen`. */
export type Listening = {
  readonly id: RequestId
  /** The part of the filter that the server accepted. */
  readonly accepted: JsonObject
  /** Ends it. */
  close(): void
  /** Resolves when it is over: we closed it, the server ended it in order, or it was lost. */
  readonly over: Promise<'closed' | 'ended' | 'lost'>
}

/** Opens listens on one connection and knows their acknowledgements apart by subscription id. */
export class Listens {
  readonly #channel: Channel
  readonly #revision: Revision
  readonly #envelope: JsonObject
  readonly #unacknowledged = new Map<RequestId, (accepted: JsonObject) => void>()

  constructor(channel: Channel, revision: Revision, envelope: JsonObject) {
    this.#channel = channel
    this.#revision = revision
    this.#envelope = envelope
  }

  /**
   * Opens one. Resolves when the server acknowledged it; throws as a request does if it refuses, or if it says
   * nothing within `timeoutMs`.
   */
  open(filter: ListenFilter, timeoutMs: number): Promise<Listening> {
    const controller = new AbortController()
    const isHttp = this.#channel.transport.kind === 'http'
    let id: RequestId | undefined
    let closedByUs = false
    const acknowledged = Promise.withResolvers<JsonObject>()
    const answer = this.#channel.request({
      method: 'subscriptions/listen',
      params: withEnvelope({ notifications: filter }, this.#envelope),
      revision: this.#revision,
      timeoutMs: Infinity,
      maximumMs: Infinity,
      cancellation: isHttp ? 'hang-up' : 'notify',
      signal: controller.signal,
      onId: (given) => {
        id = given
        this.#unacknowledged.set(given, acknowledged.resolve)
      },
    })
    const over = answer
      .then(
        () => (closedByUs ? ('closed' as const) : ('ended' as const)),
        (error: unknown) => {
          acknowledged.reject(error)
          return closedByUs ? ('closed' as const) : ('lost' as const)
        },
      )
      .finally(() => {
        if (id !== undefined) this.#unacknowledged.delete(id)
        const message = 'subscriptions/listen was answered before it was acknowledged'
        acknowledged.reject(new RequestFailedError('invalid-answer', message))
      })
    const timer = setTimeout(() => {
      acknowledged.reject(
        new RequestFailedError('timeout', `subscriptions/listen was not acknowledged within ${timeoutMs} ms`),
      )
      controller.abort()
    }, timeoutMs)
    const close = (): void => {
      closedByUs = true
      controller.abort()
    }
    return acknowledged.promise
      .then((accepted) => ({ id: id ?? 0, accepted, close, over }))
      .finally(() => clearTimeout(timer))
  }

  notification({ method, params }: JsonRpcNotification): void {
    if (method !== 'notifications/subscriptions/acknowledged') return
    const meta = isJsonObject(params?.['_meta']) ? params['_meta'] : {}
    const id = meta[MetaKey.subscriptionId]
    const accepted = params?.['notifications']
    if (isRequestId(id)) this.#unacknowledged.get(id)?.(isJsonObject(accepted) ? accepted : {})
  }
}
