import type { ValidateFunction } from 'ajv'
import type AjvCore from 'ajv/dist/core.js'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonSchema } from '../../protocol/json.ts'
import { DIALECTS, dialectOf, type Dialect } from '../../registry/schema-lint.ts'
import type { CheckDialect, CheckFault } from '../../schema-checks/messages.ts'
import { messageOf } from '../../protocol/error-message.ts'

/**
 * Returns what is wrong with a value, or undefined if nothing is: at once, or later if the patterns of the schema could take
 * many steps, because such a check runs in a Worker.
 */
export type Check = (value: unknown) => string | undefined | Promise<string | undefined>

type Compiler = Pick<AjvCore.default, 'compile' | 'removeSchema'>

/** How the validator of each dialect is loaded. */
const LOADERS: Readonly<Record<Dialect, () => Promise<Compiler>>> = {
  'https://json-schema.org/draft/2020-12/schema': once(load2020),
  'https://json-schema.org/draft/2019-09/schema': once(load2019),
  'http://json-schema.org/draft-07/schema': once(loadDraft7),
}

/**
 * Compiles JSON Schemas, each once, at its first use (2025-11-25 and later: schemas without `$schema` are
 * 2020-12). The validator's code is loaded at the first schema that needs it. Nothing is fetched: a reference that
 * leaves the document is an error.
 */
export class Validators {
  readonly #checks = new WeakMap<JsonSchema, Check | Promise<Check>>()
  /** The same tool is often called many times in a row. */
  #last: { readonly schema: JsonSchema; readonly check: Check } | undefined

  /**
   * The check for a schema, at once if it was compiled before. Rejects with a `ProtocolError` (`internalError`)
   * that names `owner` and says why, if the schema cannot be used: an unknown dialect, an unresolved `$ref`, …
   */
  check(schema: JsonSchema, owner: string): Check | Promise<Check> {
    if (this.#last?.schema === schema) return this.#last.check
    const known = this.#checks.get(schema)
    if (typeof known === 'function') this.#last = { schema, check: known }
    if (known !== undefined) return known
    if (isUnconstrained(schema)) {
      this.#checks.set(schema, acceptObject)
      return acceptObject
    }
    const compiling = compile(schema, owner).then((check) => {
      this.#checks.set(schema, check)
      return check
    })
    this.#checks.set(schema, compiling)
    return compiling
  }
}

/** Loads what checks schemas of 2020-12, so that no call waits for it: that takes tenths of a second on a busy machine. */
export async function prepareValidators(): Promise<void> {
  // The first schema has the dialect's own schema compiled too, which takes as long as loading.
  await compile({ type: 'object', properties: { any: { type: 'string' } } }, 'the preparation')
}

async function compile(schema: JsonSchema, owner: string): Promise<Check> {
  const dialect = dialectOf(schema)
  if (dialect === undefined) {
    const known = DIALECTS.join(', ')
    throw unusable(owner, `its dialect (${JSON.stringify(schema['$schema'])}) is not one of ${known}`)
  }
  const ajv = await LOADERS[dialect]()
  let validate: ValidateFunction
  try {
    validate = ajv.compile(schema)
  } catch (error) {
    throw unusable(owner, messageOf(error))
  } finally {
    // The validator is kept here; a library that kept every schema of every reload would grow without end.
    ajv.removeSchema(schema)
  }
  if ('$async' in validate) throw unusable(owner, 'asynchronous schemas are not JSON Schema')
  const { tryCheck } = await import('./guarded-patterns.ts')
  return (value) => {
    const isValid = tryCheck(validate, value)
    if (isValid === undefined) return checkAside(dialect, schema, value)
    return isValid ? undefined : describe(validate.errors ?? [])
  }
}

async function checkAside(dialect: Dialect, schema: JsonSchema, value: unknown): Promise<string | undefined> {
  const { CHECK_MS, checkInWorker } = await import('../../schema-checks/check-in-worker.ts')
  const outcome = await checkInWorker({ dialect: NAMES[dialect], schema, value, allFaults: false })
  switch (outcome.type) {
    case 'checked':
      return outcome.faults.length === 0 ? undefined : describe(outcome.faults)
    case 'unusable':
      return `its schema cannot be used: ${outcome.reason}`
    case 'out-of-time':
      return `checking it by the patterns of its schema took longer than ${CHECK_MS} ms and was stopped; expected texts that are shorter or fit the patterns`
  }
}

const NAMES: Readonly<Record<Dialect, CheckDialect>> = {
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'http://json-schema.org/draft-07/schema': 'draft-07',
}

function unusable(owner: string, reason: string): ProtocolError {
  return new ProtocolError(ErrorCode.internalError, `The schema of ${owner} cannot be used: ${reason}`)
}

function describe(errors: readonly CheckFault[]): string {
  return errors.map(describeOne).join('; ')
}

function describeOne(error: CheckFault): string {
  const where = error.instancePath === '' ? 'the value' : error.instancePath
  const { params } = error
  if (error.keyword === 'enum') return `${where} must be one of ${JSON.stringify(params['allowedValues'])}`
  if (error.keyword === 'const') return `${where} must be ${JSON.stringify(params['allowedValue'])}`
  if (error.keyword === 'additionalProperties') {
    return `${where} must not have the property "${String(params['additionalProperty'])}"`
  }
  return `${where} ${error.message ?? `breaks "${error.keyword}"`}`
}

const ANNOTATIONS = new Set(['$schema', 'title', 'description', 'type', 'properties'])

/** Any object will do: the usual schema of a tool without arguments. */
function isUnconstrained(schema: JsonSchema): boolean {
  const { type, properties, $schema: dialect } = schema
  if (type !== 'object' || (dialect !== undefined && dialect !== DIALECTS[0])) return false
  if (properties !== undefined && !(isJsonObject(properties) && Object.keys(properties).length === 0))
    return false
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword))
}

const acceptObject: Check = (value) => (isJsonObject(value) ? undefined : 'the value must be object')

// `addUsedSchema` off: two tools may use the same `$id`. `validateFormats` needs ajv-formats.
async function options() {
  const { guardedPattern } = await import('./guarded-patterns.ts')
  return { strict: false, addUsedSchema: false, logger: false, code: { regExp: guardedPattern } } as const
}

async function load2020(): Promise<Compiler> {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  return withFormats(new Ajv2020(await options()))
}

async function load2019(): Promise<Compiler> {
  const { Ajv2019 } = await import('ajv/dist/2019.js')
  return withFormats(new Ajv2019(await options()))
}

async function loadDraft7(): Promise<Compiler> {
  const { Ajv } = await import('ajv')
  return withFormats(new Ajv(await options()))
}

async function withFormats(ajv: AjvCore.default): Promise<Compiler> {
  const [formats, { guardedFormat }] = await Promise.all([
    import('ajv-formats'),
    import('./guarded-patterns.ts'),
  ])
  formats.default.default(ajv)
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format instanceof RegExp) ajv.addFormat(name, guardedFormat(format))
  }
  return ajv
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}
