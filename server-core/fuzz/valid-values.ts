import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { alternatives, numberIn, propertiesOf, requiredOf, resolved, typesOf } from './resolved-schema.ts'

/** Schemas within schemas; deeper ones get their simplest value. */
const DEEPEST = 4
/** Characters of the longest text, and items of the longest list. */
const LONGEST_TEXT = 4_096
const LONGEST_LIST = 64
/** Edges of one place. */
const MOST_EDGES = 24

const TYPES = ['string', 'integer', 'boolean', 'null', 'array', 'object']
const TEXTS = [
  '',
  ' ',
  'a',
  '0',
  '-1',
  'null',
  '"',
  '\\',
  '../..',
  '<b>',
  '%s',
  'é',
  '🙂',
  '日本語',
  'a\nb',
  '\u0000',
]
const NUMBERS = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
const FRACTIONS = [0.5, -0.5, 1e-7, 1e300]
/** Texts that patterns and formats tend to want. */
const SHAPED: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-01-01T00:00:00Z', '2024-02-29T23:59:59.999+14:00'],
  date: ['2026-01-01', '2024-02-29'],
  time: ['00:00:00Z', '23:59:59Z'],
  duration: ['P1D', 'PT1S'],
  email: ['a@b.example', "o'brien+tag@sub.example.org"],
  hostname: ['a.example', 'localhost'],
  ipv4: ['127.0.0.1', '255.255.255.255'],
  ipv6: ['::1', '2001:db8::1'],
  uri: ['https://example.com/', 'urn:a:b'],
  'uri-reference': ['a', '../a?b#c'],
  uuid: ['00000000-0000-0000-0000-000000000000', '123e4567-e89b-42d3-a456-426614174000'],
}
const PATTERNED = [
  'a',
  'A',
  'abc',
  'ABC',
  'Abc',
  '1',
  '12',
  '123',
  '1234',
  '12345',
  'a1',
  'a-b',
  'a_b',
  'a.b',
  '1.0.0',
  'v1.0.0',
  '#ffffff',
  'a/b',
  '/a',
  'a@b.example',
]

/** The simplest value that a schema is likely to accept: only what is required, by default or first choice. */
export function simplestValue(schema: unknown, root: JsonObject, depth = 0): unknown {
  const [first = {}] = alternatives(resolved(schema, root), root)
  for (const keyword of ['const', 'default'] as const) if (keyword in first) return first[keyword]
  for (const keyword of ['enum', 'examples'] as const) {
    const list = first[keyword]
    if (Array.isArray(list) && list.length > 0) return list[0] as unknown
  }
  const [type = 'string'] = typesOf(first)
  switch (type) {
    case 'object':
      return simplestObject(first, root, depth)
    case 'array': {
      const least = Math.min(numberIn(first, 'minItems') ?? 0, LONGEST_LIST)
      return Array.from({ length: depth > DEEPEST ? 0 : least }, () =>
        simplestValue(first['items'], root, depth + 1),
      )
    }
    case 'number':
    case 'integer':
      return numberEdges(first).find((value) => value >= 0) ?? numberEdges(first)[0] ?? 1
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return (
        textEdges(first).find(
          (text) => text.trim() !== '' && text.length >= (numberIn(first, 'minLength') ?? 0),
        ) ?? 'a'
      )
  }
}

/** Values at the edges of what a schema accepts. Some may be invalid: whoever uses them asks a validator. */
export function edgeValues(schema: unknown, root: JsonObject, depth = 0): readonly unknown[] {
  const all = alternatives(resolved(schema, root), root).flatMap((each) => edgesOf(each, root, depth))
  return all.slice(0, MOST_EDGES)
}

/** Objects with only what is required, with everything, and with one member at an edge. */
export function objectEdges(schema: JsonObject, root: JsonObject, depth = 0): readonly JsonObject[] {
  const least = simplestObject(schema, root, depth)
  if (depth > DEEPEST) return [least]
  const properties = Object.entries(propertiesOf(schema))
  const whole = Object.fromEntries(
    properties.map(([name, member]) => [name, least[name] ?? simplestValue(member, root, depth + 1)]),
  )
  return [
    least,
    whole,
    ...properties.flatMap(([name, member]) =>
      edgeValues(member, root, depth + 1).map((value) => ({ ...least, [name]: value })),
    ),
  ]
}

function simplestObject(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const properties = propertiesOf(schema)
  const names = depth > DEEPEST ? [] : requiredOf(schema)
  return Object.fromEntries(names.map((name) => [name, simplestValue(properties[name], root, depth + 1)]))
}

function edgesOf(schema: JsonObject, root: JsonObject, depth: number): readonly unknown[] {
  if ('const' in schema) return [schema['const']]
  const { enum: values } = schema
  if (Array.isArray(values)) return values as unknown[]
  const types = typesOf(schema)
  return (types.length === 0 ? TYPES : types).flatMap((type): readonly unknown[] => {
    switch (type) {
      case 'object':
        return objectEdges(schema, root, depth)
      case 'array':
        return listEdges(schema, root, depth)
      case 'number':
        return [...numberEdges(schema), ...FRACTIONS]
      case 'integer':
        return numberEdges(schema)
      case 'boolean':
        return [true, false]
      case 'null':
        return [null]
      default:
        return textEdges(schema)
    }
  })
}

function listEdges(schema: JsonObject, root: JsonObject, depth: number): readonly unknown[] {
  if (depth > DEEPEST) return [[]]
  const { items } = schema
  const [least, most] = [numberIn(schema, 'minItems') ?? 0, numberIn(schema, 'maxItems') ?? 2]
  const item = simplestValue(items, root, depth + 1)
  const edges = edgeValues(items, root, depth + 1)
  const filled = (length: number) =>
    Array.from({ length: Math.min(length, LONGEST_LIST) }, (_, at) =>
      schema['uniqueItems'] === true ? (edges[at] ?? at) : item,
    )
  const first = filled(Math.max(1, least)).slice(1)
  return [filled(least), filled(Math.max(least, 1)), filled(most), ...edges.map((value) => [value, ...first])]
}

function numberEdges(schema: JsonObject): readonly number[] {
  const step = numberIn(schema, 'multipleOf') ?? 1
  const [least, most] = [numberIn(schema, 'minimum'), numberIn(schema, 'maximum')]
  const [above, below] = [numberIn(schema, 'exclusiveMinimum'), numberIn(schema, 'exclusiveMaximum')]
  const bounds = [
    ...(least === undefined ? [] : [least, Math.ceil(least / step) * step]),
    ...(most === undefined ? [] : [most, Math.floor(most / step) * step]),
    ...(above === undefined ? [] : [above + step, above + step / 2]),
    ...(below === undefined ? [] : [below - step, below - step / 2]),
  ]
  const usual = NUMBERS.map((value) => value * step)
  const isInside = (value: number): boolean =>
    value >= (least ?? -Infinity) &&
    value <= (most ?? Infinity) &&
    value > (above ?? -Infinity) &&
    value < (below ?? Infinity)
  return [...new Set([...bounds, ...usual])].filter(isInside)
}

function textEdges(schema: JsonObject): readonly string[] {
  const { pattern, format } = schema
  const [least, most] = [numberIn(schema, 'minLength') ?? 0, numberIn(schema, 'maxLength')]
  const shaped = typeof format === 'string' && Object.hasOwn(SHAPED, format) ? SHAPED[format] : undefined
  if (shaped !== undefined) return shaped
  const lengths = [least, most ?? 1_000].map((length) => Math.min(length, LONGEST_TEXT))
  const long = lengths.flatMap((length) => ['a'.repeat(length), '🙂'.repeat(length)])
  const usual = typeof pattern === 'string' ? PATTERNED.map((text) => text.padEnd(least, '0')) : TEXTS
  return [...new Set([...usual, ...long])].filter((text) => {
    const length = Array.from(text).length
    return length >= least && length <= (most ?? Infinity)
  })
}

/** A value for a place, made of its edges by chance; lists and objects are composed of such values. */
export function randomValue(
  schema: unknown,
  root: JsonObject,
  random: { below(bound: number): number; pick<Value>(values: readonly Value[]): Value | undefined },
  depth = 0,
): unknown {
  const choices = alternatives(resolved(schema, root), root)
  const chosen = random.pick(choices) ?? {}
  const [type] = typesOf(chosen)
  if (type === 'object' && depth <= DEEPEST && isJsonObject(chosen['properties'])) {
    const required = new Set(requiredOf(chosen))
    const members = Object.entries(chosen['properties']).filter(
      ([name]) => required.has(name) || random.below(2) === 1,
    )
    return Object.fromEntries(
      members.map(([name, member]) => [name, randomValue(member, root, random, depth + 1)]),
    )
  }
  if (type === 'array' && depth <= DEEPEST && random.below(2) === 1) {
    const [least, most] = [numberIn(chosen, 'minItems') ?? 0, numberIn(chosen, 'maxItems') ?? 4]
    const length = Math.min(least + random.below(Math.max(1, most - least + 1)), LONGEST_LIST)
    return Array.from({ length }, () => randomValue(chosen['items'], root, random, depth + 1))
  }
  if (type === 'integer' && random.below(2) === 1) return random.below(2_001) - 1_000
  return random.pick(edgesOf(chosen, root, depth)) ?? simplestValue(chosen, root, depth)
}
