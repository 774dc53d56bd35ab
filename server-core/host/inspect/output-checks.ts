import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isJsonObject, type JsonObject, type JsonSchema } from '../../protocol/json.ts'
import type { OutputCheck } from '../contract/inspect.ts'
import { OutOfTimeError, withinTime } from '../../registry/within-time.ts'

const CHECK_MS = 250
const FINDINGS = 50

/**
 * Checks structured results of tools against the output schemas that their servers declared. Schemas are a peer's
 * text: nothing is fetched, and compiling and checking are broken off after 250 ms.
 */
export class OutputChecks {
  readonly #schemas = new Map<string, ReadonlyMap<string, JsonSchema>>()
  readonly #compiled = new WeakMap<JsonSchema, ValidateFunction>()
  readonly #validators = new Map<Dialect, Promise<Validator>>()

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

  /** How a result stands to the schema of the tool that was called. Never throws. */
  async check(serverId: string, tool: unknown, result: JsonObject): Promise<OutputCheck> {
    if (typeof tool !== 'string') return { state: 'no-schema' }
    const schemas = this.#schemas.get(serverId)
    if (schemas === undefined) return { state: 'not-checked', reason: 'The list of tools was not read yet.' }
    const schema = schemas.get(tool)
    // Neither an error nor a question to the client is what the schema describes.
    const isOutput = result['isError'] !== true && result['resultType'] !== 'input_required'
    if (schema === undefined || !isOutput) return { state: 'no-schema' }
    if (!('structuredContent' in result)) {
      const message = 'the tool declares an output schema, and the result has no "structuredContent"'
      return { state: 'differs', findings: [{ path: '', message }] }
    }
    const dialect = dialectOf(schema)
    try {
      const ajv = await this.#validator(dialect)
      const errors = withinTime(CHECK_MS, () => {
        const validate = this.#compile(ajv, schema)
        return validate(result['structuredContent']) ? [] : (validate.errors ?? [])
      })
      if (errors.length === 0) return { state: 'matches' }
      return { state: 'differs', findings: errors.slice(0, FINDINGS).map(finding) }
    } catch (error) {
      // It may have been broken off anywhere inside.
      this.#validators.delete(dialect)
      if (error instanceof OutOfTimeError) {
        return { state: 'not-checked', reason: `Checking took longer than ${CHECK_MS} ms and was given up.` }
      }
      const detail = error instanceof Error ? error.message : String(error)
      return { state: 'not-checked', reason: `The output schema cannot be used: ${detail}` }
    }
  }

  #compile(ajv: Validator, schema: JsonSchema): ValidateFunction {
    const known = this.#compiled.get(schema)
    if (known !== undefined) return known
    const validate = ajv.compile(schema)
    // What is kept is kept here; two servers may use the same `$id`.
    ajv.removeSchema(schema)
    if ('$async' in validate) throw new TypeError('asynchronous schemas are no JSON Schema')
    this.#compiled.set(schema, validate)
    return validate
  }

  #validator(dialect: Dialect): Promise<Validator> {
    const known = this.#validators.get(dialect)
    if (known !== undefined) return known
    const loading = loadValidator(dialect)
    this.#validators.set(dialect, loading)
    return loading
  }
}

type Validator = Ajv | Ajv2020
type Dialect = '2020-12' | 'draft-07'

/** The dialects that are in use; 2020-12 where none is named, and of those that we do not know the nearest. */
function dialectOf(schema: JsonSchema): Dialect {
  const declared = schema['$schema']
  return typeof declared === 'string' && /draft-0[4-7]/.test(declared) ? 'draft-07' : '2020-12'
}

/** Loads a validator and has it compile its own meta-schema, which is not the peer's time. */
async function loadValidator(dialect: Dialect): Promise<Validator> {
  const options = { strict: false, allErrors: true, logger: false, addUsedSchema: false } as const
  const [{ Ajv }, { Ajv2020 }, formats] = await Promise.all([
    import('ajv'),
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ])
  const ajv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options)
  formats.default.default(ajv)
  ajv.compile({ type: 'object' })
  return ajv
}

function finding(error: ErrorObject): { path: string; message: string } {
  const extra =
    error.keyword === 'additionalProperties' ? ` ("${String(error.params['additionalProperty'])}")` : ''
  return { path: error.instancePath, message: `${error.message ?? `breaks "${error.keyword}"`}${extra}` }
}
