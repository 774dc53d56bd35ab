import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { alternatives, numberIn, propertiesOf, requiredOf, resolved, typesOf } from './resolved-schema.ts'
import { simplestValue } from './valid-values.ts'

/** A value with one fault. */
export type FaultyValue = { readonly value: unknown; readonly fault: string }

const DEEPEST = 4
/** A text that no enumeration has. */
const FOREIGN = 'patchbay-no-such-value'
/** A value of each type. */
const WRONG = [
  { type: 'string', value: 'text' },
  { type: 'number', value: 1.5 },
  { type: 'boolean', value: true },
  { type: 'null', value: null },
  { type: 'array', value: [] },
  { type: 'object', value: {} },
]

/** Values that break a schema in one place each. Some may be valid all the same: whoever uses them asks a validator. */
export function faultyValues(
  schema: unknown,
  root: JsonObject,
  name = 'the value',
  depth = 0,
): readonly FaultyValue[] {
  const choices = alternatives(resolved(schema, root), root)
  const types = choices.flatMap(typesOf)
  const wrong = WRONG.filter(({ type }) => !types.includes(type) && types.length > 0).map(
    ({ type, value }) => ({
      value,
      fault: `${name} is ${type === 'null' ? 'null' : `of type ${type}`}`,
    }),
  )
  const own = choices.flatMap((each) => [
    ...keywordFaults(each, name),
    ...innerFaults(each, root, name, depth),
  ])
  return [...wrong, ...own]
}

/** Objects with a missing, unknown or faulty member. */
export function faultyObjects(
  schema: JsonObject,
  root: JsonObject,
  name = '',
  depth = 0,
): readonly FaultyValue[] {
  const simplest = simplestValue(schema, root, depth)
  if (!isJsonObject(simplest)) return []
  const properties = Object.entries(propertiesOf(schema))
  const at = (member: string) => (name === '' ? member : `${name}.${member}`)
  return [
    ...requiredOf(schema).map((member) => ({
      value: without(simplest, member),
      fault: `${at(member)} is missing`,
    })),
    ...(schema['additionalProperties'] === false
      ? [{ value: { ...simplest, [FOREIGN]: 1 }, fault: `${at(FOREIGN)} is not a property` }]
      : []),
    ...properties.flatMap(([member, inner]) =>
      faultyValues(inner, root, at(member), depth + 1).map(({ value, fault }) => ({
        value: { ...simplest, [member]: value },
        fault,
      })),
    ),
  ]
}

function innerFaults(
  schema: JsonObject,
  root: JsonObject,
  name: string,
  depth: number,
): readonly FaultyValue[] {
  if (depth > DEEPEST) return []
  const [type] = typesOf(schema)
  if (type === 'object') return faultyObjects(schema, root, name, depth)
  if (type !== 'array' || schema['items'] === undefined) return []
  const least = simplestValue(schema, root, depth)
  const rest = Array.isArray(least) ? least.slice(1) : []
  return faultyValues(schema['items'], root, `${name}[0]`, depth + 1).map(({ value, fault }) => ({
    value: [value, ...(rest as unknown[])],
    fault,
  }))
}

function keywordFaults(schema: JsonObject, name: string): readonly FaultyValue[] {
  const bound = (keyword: string, change: number, words: string): readonly FaultyValue[] => {
    const limit = numberIn(schema, keyword)
    return limit === undefined ? [] : [{ value: limit + change, fault: `${name} is ${words} ${keyword}` }]
  }
  const [shortest, longest] = [numberIn(schema, 'minLength'), numberIn(schema, 'maxLength')]
  const [fewest, most] = [numberIn(schema, 'minItems'), numberIn(schema, 'maxItems')]
  const types = typesOf(schema)
  return [
    ...('enum' in schema || 'const' in schema
      ? [{ value: FOREIGN, fault: `${name} is not in the enumeration` }]
      : []),
    ...bound('minimum', -1, 'below'),
    ...bound('maximum', 1, 'above'),
    ...bound('exclusiveMinimum', 0, 'at'),
    ...bound('exclusiveMaximum', 0, 'at'),
    ...(types.includes('integer') && !types.includes('number')
      ? [{ value: 0.5, fault: `${name} is not an integer` }]
      : []),
    ...(shortest === undefined || shortest < 1
      ? []
      : [{ value: 'a'.repeat(shortest - 1), fault: `${name} is too short` }]),
    ...(longest === undefined || longest > 100_000
      ? []
      : [{ value: 'a'.repeat(longest + 1), fault: `${name} is too long` }]),
    ...('pattern' in schema ? [{ value: '\u0001', fault: `${name} does not match the pattern` }] : []),
    ...('format' in schema ? [{ value: FOREIGN, fault: `${name} is not of the format` }] : []),
    ...(fewest === undefined || fewest < 1 ? [] : [{ value: [], fault: `${name} has too few items` }]),
    ...(most === undefined || most > 1_000
      ? []
      : [{ value: Array.from({ length: most + 1 }, (_, at) => at), fault: `${name} has too many items` }]),
  ]
}

function without({ [FOREIGN]: _, ...object }: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([member]) => member !== name))
}
