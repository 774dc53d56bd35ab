import type { JsonObject } from '../../protocol/json.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { Emission, Invocation, InvocationFacts, Question, SharedStore } from '../invocation.ts'
import type { MessageEndpoint } from './message-endpoint.ts'
import type { Change, HandlerRequest } from './messages.ts'
import { postJson } from './post-json.ts'
import { decodeError, type RemoteError } from './remote-error.ts'

/** Sends a handler's request to the caller's side and gives the reply. */
export type SendRequest = (call: number, request: HandlerRequest) => Promise<unknown>

/** What a handler holds whose caller is at the other end of a port. */
export class RemoteInvocation implements Invocation {
  readonly facts: InvocationFacts
  readonly store: SharedStore
  readonly #call: number
  readonly #end: MessageEndpoint
  readonly #send: SendRequest
  #controller: AbortController | undefined
  #aborted: Error | undefined

  constructor(call: number, facts: InvocationFacts, end: MessageEndpoint, send: SendRequest) {
    this.#call = call
    this.facts = facts
    this.#end = end
    this.#send = send
    this.store = remoteStore((request) => send(call, request))
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted)
    }
    return this.#controller.signal
  }

  abort(reason: RemoteError): void {
    this.#aborted ??= decodeError(reason)
    this.#controller?.abort(this.#aborted)
  }

  emit(emission: Emission): void {
    postJson(this.#end, { type: 'emit', call: this.#call, emission })
  }

  async ask(questions: readonly Question[]): Promise<Readonly<Record<string, JsonObject>>> {
    const answers = await this.#send(this.#call, { op: 'ask', questions })
    return isJsonObject(answers) ? (answers as Readonly<Record<string, JsonObject>>) : {}
  }

  changed(change: Change): void {
    this.#end.post({ type: 'changed', call: this.#call, change })
  }
}

function remoteStore(send: (request: HandlerRequest) => Promise<unknown>): SharedStore {
  return {
    get: (key) => send({ op: 'get', key }),
    set: async (key, value) => {
      await send({ op: 'set', key, value })
    },
    delete: async (key) => {
      await send({ op: 'delete', key })
    },
    keys: async () => {
      const keys = await send({ op: 'keys' })
      return Array.isArray(keys) ? keys.map(String) : []
    },
  }
}
