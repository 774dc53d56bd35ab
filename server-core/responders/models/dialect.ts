import type { JsonObject } from '../../protocol/json.ts'
import type { ModelEndpoint } from './endpoint.ts'

/** What a model is asked, apart from the API that it is asked over. */
export type ModelRequest = {
  /** The parameters of `sampling/createMessage`. */
  readonly params: JsonObject
  readonly model: string
  /** Tokens of the answer at most. */
  readonly maxTokens: number
}

/** What a model said, in blocks of sampling messages. */
export type ModelReply = {
  readonly content: readonly JsonObject[]
  readonly model: string
  readonly stopReason?: string
  /** Tokens of question and answer together; missing if the API did not say. */
  readonly tokens?: number
}

/** One HTTP API for models: how a question goes out and what its answers mean. */
export interface ModelDialect {
  /** Where questions and the list of models are, below the address of the endpoint. */
  readonly paths: { readonly ask: string; readonly models: string }
  headers(key: string | undefined): Readonly<Record<string, string>>
  /** The body. Throws a `RuleError` (`question`) for what the API cannot carry. */
  body(
    request: ModelRequest,
    endpoint: ModelEndpoint,
  ): { readonly body: JsonObject; readonly names: ToolNames }
  /** Parses an answer. Throws a `RuleError` (`model`) if it is invalid. */
  reply(body: JsonObject, names: ToolNames): ModelReply
}

/**
 * Names of tools as an API takes them: letters, digits, `_` and `-`, at most 64. Those of MCP may hold more, so each
 * gets one that is safe and its own, and the model's answer gets the first one back.
 */
export class ToolNames {
  readonly #safe = new Map<string, string>()
  readonly #given = new Map<string, string>()

  safe(name: string): string {
    const known = this.#safe.get(name)
    if (known !== undefined) return known
    const plain = name.replace(/[^\w-]/g, '_').slice(0, 64) || '_'
    let safe = plain
    for (let n = 2; this.#given.has(safe); n += 1) safe = `${plain.slice(0, 60)}_${n}`
    this.#safe.set(name, safe)
    this.#given.set(safe, name)
    return safe
  }

  /** The name that the server gave it; one that no tool has stays what it is. */
  given(safe: string): string {
    return this.#given.get(safe) ?? safe
  }
}
