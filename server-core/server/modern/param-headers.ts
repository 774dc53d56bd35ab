import { decodeHeaderValue } from '../../protocol/header-value.ts'
import { isJsonObject, type JsonObject, type JsonSchema } from '../../protocol/json.ts'
import { headerMismatch } from './envelope.ts'

/** An argument that the client repeats as a header. */
type MirroredParameter = {
  readonly path: readonly string[]
  /** The header's whole name in lower case. */
  readonly header: string
  readonly integer: boolean
}

const NONE: readonly MirroredParameter[] = []
const mirroredOf = new WeakMap<JsonSchema, readonly MirroredParameter[]>()

/**
 * Compares the `Mcp-Param-*` headers of a tools/call with its arguments (2026-07-28, Streamable HTTP: custom
 * headers). Throws a `ProtocolError` (`headerMismatch`) for a header that is missing, unreadable, different or has
 * no argument. Headers that no schema announces are ignored.
 */
export function checkParamHeaders(
  schema: JsonSchema,
  args: unknown,
  headers: Readonly<Record<string, string>>,
): void {
  for (const parameter of mirroredParameters(schema)) {
    const value = valueAt(args, parameter.path)
    const header = headers[parameter.header]
    const where = parameter.path.join('.')
    if (value === undefined || value === null) {
      if (header !== undefined)
        throw headerMismatch(`${parameter.header} is there, but the argument ${where} is not`)
      continue
    }
    if (header === undefined) throw headerMismatch(`${parameter.header} is missing, which repeats ${where}`)
    const decoded = decodeHeaderValue(header)
    if (!decoded.ok) throw headerMismatch(`${parameter.header} cannot be read: ${decoded.reason}`)
    if (!isSame(decoded.value, value, parameter.integer)) {
      throw headerMismatch(`${parameter.header} differs from the argument ${where}`)
    }
  }
}

function isSame(header: string, value: unknown, integer: boolean): boolean {
  if (!integer) return header === String(value)
  const number = /^-?\d+(\.0+)?$/.test(header) ? Number(header) : Number.NaN
  return Number.isSafeInteger(number) && number === value
}

function mirroredParameters(schema: JsonSchema): readonly MirroredParameter[] {
  const known = mirroredOf.get(schema)
  if (known !== undefined) return known
  const found: MirroredParameter[] = []
  collect(schema, [], found)
  const parameters = found.length === 0 ? NONE : found
  mirroredOf.set(schema, parameters)
  return parameters
}

/** Only steps through `properties` count: elsewhere an argument has no fixed place. */
function collect(schema: JsonSchema, path: readonly string[], found: MirroredParameter[]): void {
  const properties = schema['properties']
  if (!isJsonObject(properties)) return
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue
    const annotation = property['x-mcp-header']
    const type = property['type']
    if (typeof annotation === 'string' && (type === 'string' || type === 'integer' || type === 'boolean')) {
      const header = `mcp-param-${annotation.toLowerCase()}`
      found.push({ path: [...path, name], header, integer: type === 'integer' })
    }
    collect(property, [...path, name], found)
  }
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args
  for (const step of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return undefined
    value = (value satisfies JsonObject)[step]
  }
  return value
}
