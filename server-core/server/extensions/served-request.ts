import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { ExtensionRequest } from './extension.ts'

/** What an era knows of a request, and how it sends what belongs to it. */
export type RequestFacts = {
  readonly method: string
  readonly params: JsonObject
  readonly revision: Revision
  readonly caller: string
  readonly headers: Readonly<Record<string, string>>
  readonly clientCapabilities: JsonObject
  readonly send: (method: string, params: JsonObject) => void
}

/** The settings that a client declares for an extension; undefined if it declares none. */
export function declaredSettings(clientCapabilities: JsonObject, id: string): JsonObject | undefined {
  const extensions = clientCapabilities['extensions']
  const settings = isJsonObject(extensions) && Object.hasOwn(extensions, id) ? extensions[id] : undefined
  return isJsonObject(settings) ? settings : undefined
}

/** One request as one extension sees it. */
export class ServedRequest implements ExtensionRequest {
  readonly method: string
  readonly params: JsonObject
  readonly revision: Revision
  readonly caller: string
  readonly headers: Readonly<Record<string, string>>
  readonly clientCapabilities: JsonObject
  readonly settings: JsonObject | undefined
  readonly #send: RequestFacts['send']
  readonly #sends: (method: string) => boolean
  #controller: AbortController | undefined
  #over: string | undefined

  constructor(facts: RequestFacts, id: string, sends: (method: string) => boolean) {
    this.method = facts.method
    this.params = facts.params
    this.revision = facts.revision
    this.caller = facts.caller
    this.headers = facts.headers
    this.clientCapabilities = facts.clientCapabilities
    this.settings = declaredSettings(facts.clientCapabilities, id)
    this.#send = facts.send
    this.#sends = sends
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#over !== undefined) this.#controller.abort(new Error(this.#over))
    return this.#controller.signal
  }

  /** Throws a `TypeError` for a notification that the extension does not name as its own. */
  notify(method: string, params: JsonObject): void {
    if (!this.#sends(method))
      throw new TypeError(`the extension does not declare the notification "${method}"`)
    if (this.#over === undefined) this.#send(method, params)
  }

  /** The request was answered, or cancelled. */
  end(reason: string, cancelled: boolean): void {
    if (this.#over !== undefined) return
    this.#over = reason
    if (cancelled) this.#controller?.abort(new Error(reason))
  }
}
