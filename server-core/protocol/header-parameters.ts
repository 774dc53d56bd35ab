import { CodedError } from './coded-error.ts'
import { ExactNumber } from './exact-json.ts'
import { encodeHeaderValue } from './header-value.ts'
import { isJsonObject, type JsonObject } from './json.ts'

const ANNOTATION = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Keywords whose values are data, not schemas. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])
/** Keywords that map names to schemas. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'patternProperties',
  'dependentSchemas',
])

/** An argument that is repeated in a header. */
export type MirroredParameter = {
  /** The way to it through nested objects. */
  readonly path: readonly string[]
  /** The header's whole name in lower case. */
  readonly header: string
  readonly type: 'string' | 'integer' | 'boolean'
}

export type HeaderParameters =
  | { readonly ok: true; readonly parameters: readonly MirroredParameter[] }
  | { readonly ok: false; readonly reason: string }

/**
 * Finds the `x-mcp-header` annotations of a tool's input schema (2026-07-28, Streamable HTTP: custom headers from
 * tool parameters). One that breaks the rules makes the whole tool unusable over HTTP; the reason says which.
 */
export function headerParametersOf(inputSchema: JsonObject): HeaderParameters {
  const parameters: MirroredParameter[] = []
  const names = new Set<string>()
  try {
    walk(inputSchema, [], (annotation, schema, path) => {
      const where =
        path === undefined ? 'a part of the schema' : path.length === 0 ? 'the schema itself' : path.join('.')
      const refuse = (reason: string): never => {
        throw new InvalidAnnotation(`${ANNOTATION} on ${where}: ${reason}`)
      }
      if (typeof annotation !== 'string' || !TOKEN.test(annotation))
        return refuse(`${JSON.stringify(annotation)} is not a header name`)
      if (path === undefined)
        return refuse('it can only be reached through items, references, compositions or conditions')
      if (path.length === 0) return refuse('it must be on a property')
      const { type } = schema
      if (type !== 'string' && type !== 'integer' && type !== 'boolean')
        return refuse(`the type must be string, integer or boolean, not ${JSON.stringify(type)}`)
      const name = annotation.toLowerCase()
      if (names.has(name)) return refuse(`"${annotation}" is used twice`)
      names.add(name)
      parameters.push({ path, header: `mcp-param-${name}`, type })
    })
  } catch (error) {
    if (error instanceof InvalidAnnotation) return { ok: false, reason: error.message }
    throw error
  }
  return { ok: true, parameters }
}

/** The headers that repeat a call's arguments. An argument that is absent or null has none. */
export function mirroredHeaders(
  parameters: readonly MirroredParameter[],
  args: unknown,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { path, header } of parameters) {
    let value: unknown = args
    for (const step of path)
      value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
    const text = textOf(value)
    // An empty text needs no marker: an empty value reads back as what it is.
    if (text !== undefined) headers[header] = text === '' ? '' : encodeHeaderValue(text)
  }
  return headers
}

class InvalidAnnotation extends CodedError<'invalid-annotation'> {
  override readonly name = 'InvalidAnnotation'

  constructor(message: string, options?: ErrorOptions) {
    super('invalid-annotation', message, options)
  }
}

type Visit = (annotation: unknown, schema: JsonObject, path: readonly string[] | undefined) => void

/** Visits every annotated schema. `path` is missing once it cannot be reached by `properties` alone. */
function walk(schema: unknown, path: readonly string[] | undefined, visit: Visit): void {
  if (Array.isArray(schema)) {
    for (const item of schema) walk(item, undefined, visit)
    return
  }
  if (!isJsonObject(schema)) return
  if (Object.hasOwn(schema, ANNOTATION)) visit(schema[ANNOTATION], schema, path)
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === ANNOTATION || DATA_KEYWORDS.has(keyword)) continue
    if (keyword === 'properties' && isJsonObject(value)) {
      for (const [name, property] of Object.entries(value)) walk(property, path && [...path, name], visit)
    } else if (NAMED_SCHEMAS.has(keyword) && isJsonObject(value)) {
      for (const named of Object.values(value)) walk(named, undefined, visit)
    } else walk(value, undefined, visit)
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (value instanceof ExactNumber) return value.source
  // Integers beyond the range of exact doubles would be written with an exponent.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value.toString() : JSON.stringify(value)
  return undefined
}
