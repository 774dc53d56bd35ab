import type { Ajv, ErrorObject } from 'ajv'
import { isJsonObject, type JsonObject, type JsonSchema } from '../../protocol/json.ts'
import type { OutputCheck } from '../contract/inspect.ts'
import { OutOfTimeError, withinTime } from './within-time.ts'

const CHECK_MS = 100
const FINDINGS = 50

/**
 * Checks structured results of tools against the output schemas that their servers declared. Schemas are a peer's
 * text: nothing is fetched, and compiling and checking are broken off after 100 ms.
 */
export class OutputChecks {
  readonly #schemas = new Map<string, ReadonlyMap<string, JsonSchema>>()

  /** Notes the output schemas of a server's tools, as its newest list gave them. */
  note(serverId: string, tools: readonly unknown[]): void {
    const schemas = new Map<string, JsonSchema>()
    for (const tool of tools) {
      if (!isJsonObject(tool)) continue
      const { name, outputSchema } = tool
      if (typeof name === 'string' && isJsonObject(outputSchema)) schemas.set(name, outputSchema)
    }
    this.#schemas.set(serverId, schemas)
  }

  /** Whether the tools of a server are known. */
  knows(serverId: string): boolean {
    return this.#schemas.has(serverId)
  }

  forget(serverId: string): void {
    this.#schemas.delete(serverId)
  }

  /** How a result stands to the schema of the tool that was called. Never throws. */
  async check(serverId: string, tool: unknown, result: JsonObject): Promise<OutputCheck> {
    const schema = typeof tool === 'string' ? this.#schemas.get(serverId)?.get(tool) : undefined
    if (schema === undefined || result['isError'] === true) return { state: 'no-schema' }
    if (!('structuredContent' in result)) {
      const message = 'the tool declares an output schema, and the result has no "structuredContent"'
      return { state: 'differs', findings: [{ path: '', message }] }
    }
    try {
      const ajv = await loadValidator(schema)
      const errors = withinTime(CHECK_MS, () => {
        const validate = ajv.compile(schema)
        return validate(result['structuredContent']) ? [] : (validate.errors ?? [])
      })
      if (errors.length === 0) return { state: 'matches' }
      return { state: 'differs', findings: errors.slice(0, FINDINGS).map(finding) }
    } catch (error) {
      if (error instanceof OutOfTimeError) {
        return { state: 'not-checked', reason: `Checking took longer than ${CHECK_MS} ms and was given up.` }
      }
      const detail = error instanceof Error ? error.message : String(error)
      return { state: 'not-checked', reason: `The output schema cannot be used: ${detail}` }
    }
  }
}

/** A validator of its own for each check: a schema that breaks it harms no other. */
async function loadValidator(schema: JsonSchema): Promise<Ajv> {
  const options = { strict: false, allErrors: true, logger: false } as const
  const dialect = schema['$schema']
  const isDraft7 = typeof dialect === 'string' && /draft-0[67]/.test(dialect)
  const [{ Ajv }, { Ajv2020 }, formats] = await Promise.all([
    import('ajv'),
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ])
  const ajv = isDraft7 ? new Ajv(options) : new Ajv2020(options)
  formats.default.default(ajv)
  return ajv
}

function finding(error: ErrorObject): { path: string; message: string } {
  const extra =
    error.keyword === 'additionalProperties' ? ` ("${String(error.params['additionalProperty'])}")` : ''
  return { path: error.instancePath, message: `${error.message ?? `breaks "${error.keyword}"`}${extra}` }
}
