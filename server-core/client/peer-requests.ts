import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from '../protocol/messages.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { Answering } from './answers/answering.ts'
import type { Channel } from './channel.ts'
import { InvalidAnswerError } from './errors.ts'
import type { ConnectionEvents } from './events.ts'
import { QuestionWithdrawn } from './answers/question-withdrawn.ts'
import { errorBodyOf } from './responders.ts'
import { OwnTasks } from './tasks/own-tasks.ts'

export type PeerRequestsOptions = {
  readonly channel: Channel
  /** What this client declared. */
  readonly capabilities: JsonObject
  readonly revision: Revision
  readonly answering: Answering
  /** Told of an answer that was not sent. */
  readonly onRefused: (refused: ConnectionEvents['answerRefused']) => void
}

/**
 * Answers what a legacy server asks (client features; utilities: ping): pings at once, questions by their
 * responders, everything else with "method not found". While a question is open the clocks of our own requests
 * stand still: the server may be waiting for the same person.
 */
export class PeerRequests {
  readonly #options: PeerRequestsOptions
  readonly #open = new Map<RequestId, AbortController>()
  readonly #tasks: OwnTasks

  constructor(options: PeerRequestsOptions) {
    this.#options = options
    const { capabilities, channel, revision } = options
    this.#tasks = new OwnTasks({
      capabilities,
      answer: (method, params, asked) => this.#answer(method, params, asked),
      // A failure to send is on the tap; a task is requested, whatever was reported of it.
      notify: (method, params) => void channel.notify(method, params, revision).catch(() => undefined),
    })
  }

  request({ id, method, params = {} }: JsonRpcRequest, bytes: Uint8Array): void {
    if (method === 'ping') {
      this.#respond(id, { result: {} })
      return
    }
    if (this.#open.has(id)) {
      const reason = `a request with id ${JSON.stringify(id)} is open already`
      this.#respond(id, { error: new ProtocolError(ErrorCode.invalidRequest, reason).toBody() })
      return
    }
    const controller = new AbortController()
    this.#open.set(id, controller)
    const letClocksRun = this.#options.channel.holdClocks()
    const answer = async (): Promise<void> => {
      const { signal } = controller
      try {
        const result = await (this.#tasks.serve(method, params, bytes) ??
          this.#answer(method, params, { signal, bytes }))
        if (!signal.aborted) this.#respond(id, { result: withRelatedTask(params, result) })
      } catch (error) {
        if (!signal.aborted) this.#respond(id, { error: errorBodyOf(error) })
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
    const { requestId: id, reason } = params ?? {}
    if (typeof id !== 'string' && typeof id !== 'number') return
    this.#open
      .get(id)
      ?.abort(new QuestionWithdrawn('server', typeof reason === 'string' ? reason : undefined))
  }

  /** The connection ended. */
  abortAll(): void {
    this.#tasks.abortAll()
    for (const controller of this.#open.values()) controller.abort(new QuestionWithdrawn('connection'))
  }

  async #answer(
    method: string,
    params: JsonObject,
    asked: { readonly signal: AbortSignal; readonly bytes: Uint8Array },
  ): Promise<JsonObject> {
    const { answering, onRefused } = this.#options
    try {
      return await answering.answer(method, params, asked)
    } catch (error) {
      if (error instanceof InvalidAnswerError) onRefused({ method, params, faults: error.faults })
      throw error
    }
  }

  #respond(id: RequestId, outcome: Parameters<Channel['respond']>[1]): void {
    this.#options.channel.respond(id, outcome, this.#options.revision)
  }
}

/** What belongs to a task of the server says so (2025-11-25, Tasks: related task). */
function withRelatedTask(params: JsonObject, result: JsonObject): JsonObject {
  const asked = params['_meta']
  const related = isJsonObject(asked) ? asked[MetaKey.relatedTask] : undefined
  if (related === undefined) return result
  const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
  return { ...result, _meta: { [MetaKey.relatedTask]: related, ...meta } }
}
