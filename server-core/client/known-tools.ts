import { headerParametersOf, mirroredHeaders, type MirroredParameter } from '../protocol/header-parameters.ts'
import { isJsonObject, type JsonObject, type JsonSchema } from '../protocol/json.ts'

const NO_HEADERS: Readonly<Record<string, string>> = {}

/** What is known of one tool from the newest list. */
export type KnownTool = {
  readonly mirrored: readonly MirroredParameter[]
  readonly outputSchema?: JsonSchema | boolean
  /** 2025-11-25: whether calls of it may or must be tasks. */
  readonly taskSupport?: string
}

/** What the list of tools says that later calls need: arguments repeated in headers, output schemas, task support. */
export class KnownTools {
  #tools: ReadonlyMap<string, KnownTool> | undefined
  readonly #readsHeaders: boolean

  /** @param readsHeaders whether calls repeat arguments in headers (2026-07-28 over HTTP) */
  constructor(readsHeaders: boolean) {
    this.#readsHeaders = readsHeaders
  }

  /** Whether the list was ever read to its end. */
  get areRead(): boolean {
    return this.#tools !== undefined
  }

  get(name: string): KnownTool | undefined {
    return this.#tools?.get(name)
  }

  /** The headers that a call of a tool repeats its arguments in. */
  headersOf(name: string, args: unknown): Readonly<Record<string, string>> {
    const mirrored = this.#tools?.get(name)?.mirrored
    return mirrored === undefined || mirrored.length === 0 ? NO_HEADERS : mirroredHeaders(mirrored, args)
  }

  /** Returns why a tool cannot be used over this transport, if it cannot. */
  check(tool: JsonObject): string | undefined {
    if (!this.#readsHeaders) return undefined
    const found = headerParametersOf(isJsonObject(tool['inputSchema']) ? tool['inputSchema'] : {})
    return found.ok ? undefined : found.reason
  }

  /** Replaces the known tools with the newest list. */
  replace(tools: readonly JsonObject[]): void {
    const known = new Map<string, KnownTool>()
    for (const { name, inputSchema, outputSchema, execution } of tools) {
      if (typeof name !== 'string') continue
      const found =
        this.#readsHeaders && isJsonObject(inputSchema) ? headerParametersOf(inputSchema) : undefined
      const taskSupport = isJsonObject(execution) ? execution['taskSupport'] : undefined
      known.set(name, {
        mirrored: found?.ok === true ? found.parameters : [],
        ...(isJsonObject(outputSchema) || typeof outputSchema === 'boolean' ? { outputSchema } : {}),
        ...(typeof taskSupport === 'string' ? { taskSupport } : {}),
      })
    }
    this.#tools = known
  }
}
