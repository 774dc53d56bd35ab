import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from '../protocol/messages.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { Channel } from './channel.ts'
import { errorBodyOf, responderFor, type Responders } from './responders.ts'

/**
 * Answers what a legacy server asks (client features; utilities: ping): pings at once, questions by their
 * responders, everything else with "method not found". While a question is open the clocks of our own requests
 * stand still: the server may be waiting for the same person.
 */
export class PeerRequests {
  readonly #channel: Channel
  readonly #revision: Revision
  readonly #responders: Responders
  readonly #capabilities: JsonObject
  readonly #open = new Map<RequestId, AbortController>()

  /** @param capabilities what this client declared */
  constructor(channel: Channel, revision: Revision, responders: Responders, capabilities: JsonObject) {
    this.#channel = channel
    this.#revision = revision
    this.#responders = responders
    this.#capabilities = capabilities
  }

  request({ id, method, params = {} }: JsonRpcRequest, bytes: Uint8Array): void {
    if (method === 'ping') {
      this.#channel.respond(id, { result: {} }, this.#revision)
      return
    }
    if (this.#open.has(id)) {
      const error = new ProtocolError(
        ErrorCode.invalidRequest,
        `a request with id ${JSON.stringify(id)} is open already`,
      )
      this.#channel.respond(id, { error: error.toBody() }, this.#revision)
      return
    }
    const controller = new AbortController()
    this.#open.set(id, controller)
    const letClocksRun = this.#channel.holdClocks()
    const answer = async (): Promise<void> => {
      try {
        const responder = responderFor(this.#responders, this.#capabilities, method, params)
        const { signal } = controller
        const result = await responder(params, { signal, method, revision: this.#revision, bytes })
        if (!controller.signal.aborted) this.#channel.respond(id, { result }, this.#revision)
      } catch (error) {
        if (!controller.signal.aborted)
          this.#channel.respond(id, { error: errorBodyOf(error) }, this.#revision)
      } finally {
        this.#open.delete(id)
        letClocksRun()
      }
    }
    void answer()
  }

  /** The server takes a question back: it is not answered any more (utilities: cancellation). */
  notification({ method, params }: JsonRpcNotification): void {
    if (method !== 'notifications/cancelled') return
    const id = params?.['requestId']
    if (typeof id === 'string' || typeof id === 'number') this.#open.get(id)?.abort()
  }

  /** The connection ended. */
  abortAll(): void {
    for (const controller of this.#open.values()) controller.abort()
  }
}
