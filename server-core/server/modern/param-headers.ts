import { headerParametersOf, type MirroredParameter } from '../../protocol/header-parameters.ts'
import { decodeHeaderValue } from '../../protocol/header-value.ts'
import { isJsonObject, type JsonObject, type JsonSchema } from '../../protocol/json.ts'
import { headerMismatch } from './envelope.ts'

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
  for (const { path, header: name, type } of mirroredParameters(schema)) {
    const value = valueAt(args, path)
    const header = headers[name]
    const where = path.join('.')
    if (value === undefined || value === null) {
      if (header !== undefined)
        throw headerMismatch(`${name} is there, but the argument ${where} is not; leave the header out`)
      continue
    }
    if (header === undefined) throw headerMismatch(`${name} is missing, which repeats the argument ${where}`)
    const decoded = decodeHeaderValue(header)
    if (!decoded.ok) throw headerMismatch(`${name} cannot be read: ${decoded.reason}`)
    if (!isSame(decoded.value, value, type)) {
      throw headerMismatch(`${name} is "${decoded.value}", but the argument ${where} differs`)
    }
  }
}

/** Integers are the same if their numbers are (42.0 is 42), as far as doubles are exact; the rest by its text. */
function isSame(header: string, value: unknown, type: MirroredParameter['type']): boolean {
  if (type !== 'integer' || typeof value !== 'number') return header === textOf(value)
  const number = INTEGER.test(header) ? Number(header) : Number.NaN
  return Number.isSafeInteger(number) && number === value
}

const INTEGER = /^-?\d+(?:\.0+)?$/

/** An argument of another type than its schema says is refused later; here it only must not differ. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function mirroredParameters(schema: JsonSchema): readonly MirroredParameter[] {
  const known = mirroredOf.get(schema)
  if (known !== undefined) return known
  const found = headerParametersOf(schema)
  // Clients drop a tool whose annotations break the rules; one that calls it all the same sends no headers.
  const parameters = found.ok && found.parameters.length > 0 ? found.parameters : NONE
  mirroredOf.set(schema, parameters)
  return parameters
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args
  for (const step of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return undefined
    value = (value satisfies JsonObject)[step]
  }
  return value
}
