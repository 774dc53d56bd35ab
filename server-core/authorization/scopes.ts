import { isJsonObject } from '../protocol/json.ts'
import type { RequiredScopes } from './options.ts'

type Table = ReadonlyMap<string, readonly string[]>

/** Which scopes a message needs, and whether those granted are enough (RFC 6749, 3.3). */
export class Scopes {
  /** Needed by every request. */
  readonly server: readonly string[]
  /** Every scope that is needed for something. */
  readonly all: readonly string[]
  readonly #methods: Table
  readonly #named: ReadonlyMap<string, Table>
  readonly #implied: Table

  constructor(required: RequiredScopes = {}, implied: Readonly<Record<string, readonly string[]>> = {}) {
    const { server = [], methods, tools, prompts } = required
    this.server = server
    this.#methods = tableOf(methods)
    this.#named = new Map([
      ['tools/call', tableOf(tools)],
      ['prompts/get', tableOf(prompts)],
    ])
    this.#implied = tableOf(implied)
    const tables = [this.#methods, ...this.#named.values()]
    this.all = [...new Set([...server, ...tables.flatMap((table) => [...table.values()].flat())])]
  }

  /** The scopes that a message, or all messages of a batch, need beside those of the server. */
  neededBy(message: unknown): readonly string[] {
    if (Array.isArray(message)) return [...new Set(message.flatMap((each) => this.neededBy(each)))]
    if (!isJsonObject(message) || typeof message['method'] !== 'string') return []
    const { method, params } = message
    const name = isJsonObject(params) ? params['name'] : undefined
    const byName = typeof name === 'string' ? this.#named.get(method)?.get(name) : undefined
    return [...(this.#methods.get(method) ?? []), ...(byName ?? [])]
  }

  /** Returns whether the scopes granted include, by themselves or by what they imply, those needed. */
  areGranted(needed: readonly string[], granted: readonly string[]): boolean {
    if (needed.length === 0 || needed.every((scope) => granted.includes(scope))) return true
    const reached = new Set(granted)
    // A set grows while it is walked, so what is implied is walked too.
    for (const scope of reached) for (const included of this.#implied.get(scope) ?? []) reached.add(included)
    return needed.every((scope) => reached.has(scope))
  }
}

function tableOf(record: Readonly<Record<string, readonly string[]>> = {}): Table {
  return new Map(Object.entries(record))
}
