import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import type { Revision } from '../../server-core/protocol/revisions.ts'

/** A place where a generated schema file says something else than the specification it was made from. */
export type Flaw = {
  readonly name: string
  readonly why: string
  readonly revisions: readonly Revision[]
  /** Gives the definition as it was meant. */
  mend(name: string, schema: JsonObject, definitions: Readonly<Record<string, JsonObject>>): JsonObject
}

/** The known flaws; each is mended before the files are compared with our schemas. */
export const FLAWS: readonly Flaw[] = [
  {
    name: 'envelope-left-out',
    why: 'before 2025-11-25 the types of requests and notifications have neither jsonrpc nor id',
    revisions: ['2024-11-05', '2025-03-26', '2025-06-18'],
    mend: (_name, schema) => {
      const method = methodOf(schema)
      if (method === undefined) return schema
      const isNotification = method.startsWith('notifications/')
      const envelope: JsonObject = {
        jsonrpc: { type: 'string', const: '2.0' },
        ...(isNotification ? {} : { id: { type: ['string', 'integer'] } }),
      }
      return withProperties(schema, envelope, Object.keys(envelope))
    },
  },
  {
    name: 'meta-left-out',
    why: 'params written in place of the base type lost its _meta',
    revisions: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
    mend: (_name, schema) => {
      const method = methodOf(schema)
      const params = propertiesOf(schema)['params']
      if (method === undefined || !isJsonObject(params) || !isJsonObject(params['properties'])) return schema
      if (Object.hasOwn(params['properties'], '_meta')) return schema
      const meta = method.startsWith('notifications/')
        ? { type: 'object' }
        : { type: 'object', properties: { progressToken: { type: ['string', 'integer'] } } }
      return withProperties(schema, { params: withProperties(params, { _meta: meta }, []) }, [])
    },
  },
  {
    name: 'answers-without-fractions',
    why: 'the content of an answered form is string, integer or boolean in the file, string, number or boolean in the text',
    revisions: ['2025-06-18', '2025-11-25', '2026-07-28'],
    mend: (name, schema) => (name === 'ElicitResult' ? widened(schema) : schema),
  },
  {
    name: 'json-without-null-and-fractions',
    why: 'the JSON value type of the file has no null and no fractional number',
    revisions: ['2026-07-28'],
    mend: (name, schema) => (name === 'JSONValue' ? {} : schema),
  },
]

/** A schema file with its known flaws mended, under its own keyword for definitions. */
export function mended(document: JsonObject, revision: Revision): JsonObject {
  const keyword = isJsonObject(document['$defs']) ? '$defs' : 'definitions'
  const definitions = document[keyword]
  if (!isJsonObject(definitions)) throw new TypeError(`expected definitions in the schema of ${revision}`)
  const schemas = Object.fromEntries(
    Object.entries(definitions).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1])),
  )
  const flaws = FLAWS.filter(({ revisions }) => revisions.includes(revision))
  const whole = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      flaws.reduce((before, flaw) => flaw.mend(name, before, schemas), schema),
    ]),
  )
  return { ...document, [keyword]: whole }
}

function methodOf(schema: JsonObject): string | undefined {
  const method = propertiesOf(schema)['method']
  return isJsonObject(method) && typeof method['const'] === 'string' ? method['const'] : undefined
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema['properties']) ? schema['properties'] : {}
}

function withProperties(schema: JsonObject, properties: JsonObject, required: readonly string[]): JsonObject {
  const before = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : []
  return {
    ...schema,
    properties: { ...propertiesOf(schema), ...properties },
    required: [...before, ...required],
  }
}

/** Every list of types that has `integer` gets `number` instead. */
function widened(value: unknown): JsonObject {
  const text = JSON.stringify(value, (key, member: unknown) =>
    key === 'type' && Array.isArray(member)
      ? (member as readonly unknown[]).map((type) => (type === 'integer' ? 'number' : type))
      : member,
  )
  const schema: unknown = JSON.parse(text)
  if (!isJsonObject(schema)) throw new TypeError('expected a schema')
  return schema
}
