import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject, JsonSchema } from '../protocol/json.ts'
import {
  backtracks,
  linearPattern,
  loadEngineFor,
  type Pattern,
} from '../protocol/patterns/linear-pattern.ts'
import { OutOfTimeError, withinTime } from '../registry/within-time.ts'

const CHECK_MS = 250
const FINDINGS = 50

/** How a structured result stands to the output schema of its tool, as data. */
export type OutputCheck =
  /** Nothing to check: no schema, an error, or a question to the client. */
  | { state: 'no-schema' }
  | { state: 'matches' }
  | { state: 'differs'; findings: { path: string; message: string }[] }
  | { state: 'not-checked'; reason: string }

/**
 * Holds structured results of tools against the output schemas that their servers declare (tools: output schema). Schemas
 * are a peer's text: nothing is fetched, and compiling and checking are broken off after 250 ms.
 */
export class OutputChecker {
  readonly #compiled = new WeakMap<JsonSchema, ValidateFunction>()
  readonly #validators = new Map<Dialect, Promise<Validator>>()

  /** How a result stands to the schema of the tool that was called. Never throws. */
  async check(schema: JsonSchema | boolean | undefined, result: JsonObject): Promise<OutputCheck> {
    // Neither an error nor a question to the client, nor a task, is what the schema describes.
    const isOutput = result['isError'] !== true && (result['resultType'] ?? 'complete') === 'complete'
    if (schema === undefined || !isOutput) return { state: 'no-schema' }
    if (!('structuredContent' in result)) {
      const message = 'the tool declares an output schema, and the result has no "structuredContent"'
      return { state: 'differs', findings: [{ path: '', message }] }
    }
    if (typeof schema === 'boolean') {
      if (schema) return { state: 'matches' }
      return { state: 'differs', findings: [{ path: '', message: 'the output schema allows nothing' }] }
    }
    const dialect = dialectOf(schema)
    try {
      const [ajv] = await Promise.all([this.#validator(dialect), loadEngineFor(schema)])
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

/** Compiles the pattern of a schema: for the linear engine if it backtracks and that engine can express it. */
const compilePattern = Object.assign(
  (source: string, flags: string): Pattern => {
    const exact = new RegExp(source, flags)
    return (backtracks(source) ? linearPattern(source) : undefined) ?? exact
  },
  // What code that a validator writes out would call; ours is never written out.
  { code: 'new RegExp' },
)

/** Loads a validator and has it compile its own meta-schema, which is not the peer's time. */
async function loadValidator(dialect: Dialect): Promise<Validator> {
  const options = {
    strict: false,
    allErrors: true,
    logger: false,
    addUsedSchema: false,
    code: { regExp: compilePattern },
  } as const
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
