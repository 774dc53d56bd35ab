import { OutputChecker } from '../../client/output-check.ts'
import { isJsonObject, type JsonObject, type JsonSchema } from '../../protocol/json.ts'
import type { OutputCheck } from '../contract/inspect.ts'

/** The output schemas of the tools of each server, as their newest lists gave them, and the checks against them. */
export class OutputChecks {
  readonly #schemas = new Map<string, ReadonlyMap<string, JsonSchema>>()
  readonly #checker = new OutputChecker()

  /** Notes the output schemas of a server's tools, as its newest list gave them; a further page adds to them. */
  note(serverId: string, tools: readonly unknown[], isFurtherPage = false): void {
    const schemas = new Map<string, JsonSchema>(isFurtherPage ? this.#schemas.get(serverId) : undefined)
    for (const tool of tools) {
      if (!isJsonObject(tool)) continue
      const { name, outputSchema } = tool
      if (typeof name === 'string' && isJsonObject(outputSchema)) schemas.set(name, outputSchema)
    }
    this.#schemas.set(serverId, schemas)
  }

  /** How a result stands to the schema of the tool that was called. Never throws. */
  async check(serverId: string, tool: unknown, result: JsonObject): Promise<OutputCheck> {
    if (typeof tool !== 'string') return { state: 'no-schema' }
    const schemas = this.#schemas.get(serverId)
    if (schemas === undefined) return { state: 'not-checked', reason: 'The list of tools was not read yet.' }
    return this.#checker.check(schemas.get(tool), result)
  }
}
