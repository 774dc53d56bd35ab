import { isJsonObject, type JsonSchema } from '../protocol/json.ts'

/** Deeper than this nothing optional is made, so that recursion ends. */
const DEEPEST = 4

/** Texts of the formats that JSON Schema knows. */
const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'somebody@example.org',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.org/',
  'uri-reference': '/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/**
 * A value that fits a JSON Schema, as far as that can be read off it: its example, default or first choice where it
 * names one, else the least that its type and bounds allow. Patterns and conditions are not looked at.
 */
export function sampleOf(schema: JsonSchema): unknown {
  return sample(schema, schema, 0)
}

function sample(given: unknown, root: JsonSchema, depth: number): unknown {
  if (!isJsonObject(given)) return given === false ? null : {}
  const schema = resolved(given, root, depth)
  const { examples, anyOf, oneOf } = schema
  if (schema['const'] !== undefined) return schema['const']
  if (schema['default'] !== undefined) return schema['default']
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as unknown
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (choices !== undefined && choices.length > 0) {
    // The shallowest choice ends a recursion: a null or a leaf, if there is one.
    const choice: unknown = depth > DEEPEST ? choices.at(-1) : choices[0]
    const own = { ...schema, anyOf: undefined, oneOf: undefined }
    return sample(
      isJsonObject(choice) ? { ...own, ...resolved(choice, root, depth) } : choice,
      root,
      depth + 1,
    )
  }
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, root, depth)
    case 'array':
      return arrayOf(schema, root, depth)
    case 'string':
      return textOf(schema)
    case 'integer':
      return Math.ceil(numberOf(schema, 1))
    case 'number':
      return numberOf(schema, Number.EPSILON)
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return {}
  }
}

/** With what its `$ref` into the same document and its `allOf` say. */
function resolved(schema: JsonSchema, root: JsonSchema, depth: number): JsonSchema {
  const { $ref, allOf, ...rest } = schema
  const parts: unknown[] = Array.isArray(allOf) ? allOf : []
  const target = typeof $ref === 'string' && depth <= DEEPEST * 4 ? pointed($ref, root) : undefined
  if (target === undefined && parts.length === 0) return rest
  return [target, ...parts].reduce<JsonSchema>(
    (made, part) => (isJsonObject(part) ? merged(made, resolved(part, root, depth + 1)) : made),
    rest,
  )
}

function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
  const properties = { ...asObject(other['properties']), ...asObject(one['properties']) }
  const required = [...asList(one['required']), ...asList(other['required'])]
  return {
    ...other,
    ...one,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }
}

function pointed(ref: string, root: JsonSchema): unknown {
  if (!ref.startsWith('#')) return undefined
  let found: unknown = root
  for (const step of ref.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return found
}

function objectOf(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const required = new Set(asList(schema['required']))
  const wanted = Object.entries(asObject(schema['properties'])).filter(
    ([name]) => depth < DEEPEST || required.has(name),
  )
  return Object.fromEntries(wanted.map(([name, member]) => [name, sample(member, root, depth + 1)]))
}

function arrayOf(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const { prefixItems, items, minItems } = schema
  const first: unknown[] = Array.isArray(prefixItems) ? prefixItems : []
  const least = typeof minItems === 'number' ? minItems : depth < DEEPEST && isJsonObject(items) ? 1 : 0
  const made = first.map((item) => sample(item, root, depth + 1))
  // A list that is asked to be absurdly long stays short; whoever writes the answer sees it.
  while (made.length < Math.min(least, 100)) made.push(sample(items ?? {}, root, depth + 1))
  return made
}

function textOf({ format, minLength }: JsonSchema): string {
  const text = typeof format === 'string' ? (FORMATS[format] ?? '') : ''
  return typeof minLength === 'number' ? text.padEnd(Math.min(minLength, 10_000), 'x') : text
}

function numberOf(schema: JsonSchema, step: number): number {
  const bound = (name: string): number | undefined =>
    typeof schema[name] === 'number' ? schema[name] : undefined
  const above = bound('exclusiveMinimum')
  const below = bound('exclusiveMaximum')
  const least = bound('minimum') ?? (above === undefined ? undefined : above + Math.max(step, above * step))
  const most = bound('maximum') ?? (below === undefined ? undefined : below - Math.max(step, below * step))
  const wanted = Math.min(Math.max(0, least ?? 0), most ?? Infinity)
  const multiple = bound('multipleOf')
  return multiple === undefined || multiple <= 0 ? wanted : Math.ceil(wanted / multiple) * multiple
}

function typeOf(schema: JsonSchema): unknown {
  const { type } = schema
  if (Array.isArray(type)) return type.find((each) => each !== 'null') ?? 'null'
  if (type !== undefined) return type
  if (schema['properties'] !== undefined) return 'object'
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array'
  return undefined
}

function asObject(value: unknown): JsonSchema {
  return isJsonObject(value) ? value : {}
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
