/** The entry of the Worker in which values are checked against schemas that others wrote. */
import { parentPort } from 'node:worker_threads'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type AjvCore from 'ajv/dist/core.js'
import {
  backtracks,
  linearPattern,
  loadEngineFor,
  type Pattern,
} from '../protocol/patterns/linear-pattern.ts'
import type { CheckDialect, CheckFault, CheckOutcome, FromWorker, ToWorker } from './messages.ts'
import { messageOf } from '../protocol/error-message.ts'

type Compiler = Pick<AjvCore.default, 'compile' | 'removeSchema'>

/** Compiled schemas that are remembered; the least recently used one goes first. */
const MOST_COMPILED = 200
/** Faults that are reported of one value. */
const MOST_FAULTS = 50

/** Compiles the pattern of a schema: for the linear engine if it backtracks and that engine can express it. */
const regExp = Object.assign(
  (source: string, flags: string): Pattern => {
    const exact = new RegExp(source, flags)
    return (backtracks(source) ? linearPattern(source) : undefined) ?? exact
  },
  // What code that a validator writes out would call; it is never written out.
  { code: 'new RegExp' },
)

const compilers = new Map<string, Promise<Compiler>>()
const compiled = new Map<string, ValidateFunction>()

const port = parentPort
if (port === null) throw new Error('This runs in a Worker of the host; it cannot be started directly.')
port.on('message', (request: ToWorker) => {
  void answer(request)
})

async function answer(request: ToWorker): Promise<void> {
  const { id, dialect, schema, allFaults } = request
  // Loading and compiling the dialect's own schema is not the time of the schema that is checked.
  const compiler = await compilerOf(dialect, allFaults)
  await loadEngineFor(schema)
  post({ type: 'started', id })
  post({ type: 'done', id, outcome: check(compiler, request) })
}

function check(compiler: Compiler, { schema, schemaId, value, allFaults }: ToWorker): CheckOutcome {
  try {
    const validate = compile(compiler, schema, `${schemaId} ${allFaults}`)
    const faults = validate(value) ? [] : (validate.errors ?? []).slice(0, MOST_FAULTS).map(faultOf)
    return { type: 'checked', faults }
  } catch (error) {
    return { type: 'unusable', reason: messageOf(error) }
  }
}

function compile(compiler: Compiler, schema: ToWorker['schema'], key: string): ValidateFunction {
  const known = compiled.get(key)
  compiled.delete(key)
  const validate = known ?? compiler.compile(schema)
  // What is remembered is remembered here; two servers may use the same `$id`.
  if (known === undefined) compiler.removeSchema(schema)
  if ('$async' in validate) throw new TypeError('asynchronous schemas are not JSON Schema')
  compiled.set(key, validate)
  for (const oldest of compiled.keys()) {
    if (compiled.size <= MOST_COMPILED) break
    compiled.delete(oldest)
  }
  return validate
}

function faultOf({ instancePath, keyword, params, message }: ErrorObject): CheckFault {
  return {
    instancePath,
    keyword,
    // Parameters may hold values of the schema of any size; those that messages name are texts and lists of texts.
    params: { ...(params as Record<string, unknown>) },
    ...(message !== undefined && { message }),
  }
}

function compilerOf(dialect: CheckDialect, allErrors: boolean): Promise<Compiler> {
  const key = `${dialect} ${allErrors}`
  const known = compilers.get(key)
  if (known !== undefined) return known
  const loading = load(dialect, allErrors)
  compilers.set(key, loading)
  return loading
}

async function load(dialect: CheckDialect, allErrors: boolean): Promise<Compiler> {
  const options = { strict: false, allErrors, logger: false, addUsedSchema: false, code: { regExp } } as const
  const formats = await import('ajv-formats')
  const ajv = await makeAjv(dialect, options)
  formats.default.default(ajv)
  // The first schema has the dialect's own schema compiled too.
  ajv.compile({ type: 'object' })
  return ajv
}

async function makeAjv(dialect: CheckDialect, options: object): Promise<AjvCore.default> {
  if (dialect === 'draft-07') {
    const { Ajv } = await import('ajv')
    return new Ajv(options)
  }
  if (dialect === '2019-09') {
    const { Ajv2019 } = await import('ajv/dist/2019.js')
    return new Ajv2019(options)
  }
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  return new Ajv2020(options)
}

function post(message: FromWorker): void {
  port?.postMessage(message)
}
