import { pointerStep } from '../../protocol/json-pointer.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

/** One difference between two schemas. */
export type SchemaDifference = {
  /** JSON Pointer to the place, in the words of the schema; empty for the whole. */
  readonly pointer: string
  /** In one sentence without a full stop. */
  readonly what: string
  /** A value that fitted before may not fit any more. */
  readonly narrows: boolean
  /** A value may fit now that did not before. */
  readonly widens: boolean
}

/** Bounds from below: a greater one narrows. What is missing bounds nothing. */
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']
/** Bounds from above: a smaller one narrows. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']
/** What can only be compared for being the same. There means narrower than not there. */
const OPAQUE = [
  'multipleOf',
  'pattern',
  'format',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contentEncoding',
  'contentMediaType',
]
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'] as const
/** Schemas within schemas that are looked into. */
const DEEPEST = 32

/** All differences between two JSON Schemas (2020-12, local `$ref`s followed), in the order of the later one. */
export function schemaDifferences(before: unknown, after: unknown): readonly SchemaDifference[] {
  const comparison = new Comparison(before, after)
  comparison.compare(before, after, '', 'the value')
  return comparison.found
}

class Comparison {
  readonly found: SchemaDifference[] = []
  readonly #roots: { readonly before: unknown; readonly after: unknown }
  #depth = 0

  constructor(before: unknown, after: unknown) {
    this.#roots = { before, after }
  }

  compare(rawBefore: unknown, rawAfter: unknown, pointer: string, name: string): void {
    const before = resolved(rawBefore, this.#roots.before)
    const after = resolved(rawAfter, this.#roots.after)
    if (same(before, after) && same(this.#roots.before, this.#roots.after)) return
    if (this.#depth >= DEEPEST) {
      // A schema that refers to itself is compared as it is written.
      if (!same(rawBefore, rawAfter)) this.#notify(pointer, `${name} is described otherwise`, true, true)
      return
    }
    this.#depth += 1
    this.#types(before, after, pointer, name)
    this.#values(before, after, pointer, name)
    this.#bounds(before, after, pointer, name)
    this.#properties(before, after, pointer, name)
    this.#items(before, after, pointer, name)
    this.#alternatives(before, after, pointer, name)
    this.#depth -= 1
  }

  #notify(pointer: string, what: string, narrows: boolean, widens: boolean): void {
    this.found.push({ pointer, what, narrows, widens })
  }

  #types(before: JsonObject, after: JsonObject, pointer: string, name: string): void {
    const [was, is] = [typesOf(before), typesOf(after)]
    const lost = was.filter((type) => !covers(is, type))
    const gained = is.filter((type) => !covers(was, type))
    if (lost.length === 0 && gained.length === 0) return
    const what = `${name} is ${wordsOf(is)} now and was ${wordsOf(was)}`
    this.#notify(at(pointer, 'type'), what, lost.length > 0, gained.length > 0)
  }

  #values(before: JsonObject, after: JsonObject, pointer: string, name: string): void {
    const [was, is] = [valuesOf(before), valuesOf(after)]
    if (was === undefined && is === undefined) return
    const place = at(pointer, 'enum')
    if (was === undefined) this.#notify(place, `${name} takes only certain values now`, true, false)
    else if (is === undefined) this.#notify(place, `${name} takes any value now`, false, true)
    else {
      const lost = was.filter((value) => !is.some((each) => same(each, value)))
      const gained = is.filter((value) => !was.some((each) => same(each, value)))
      if (lost.length > 0) this.#notify(place, `${name} can no longer be ${listed(lost)}`, true, false)
      if (gained.length > 0) this.#notify(place, `${name} can also be ${listed(gained)} now`, false, true)
    }
  }

  #bounds(before: JsonObject, after: JsonObject, pointer: string, name: string): void {
    for (const key of [...LOWER, ...UPPER]) {
      const [was, is] = [before[key], after[key]]
      if (same(was, is)) continue
      const rises = key.startsWith('min') || key === 'exclusiveMinimum'
      const [from, to] = [boundOf(was, rises), boundOf(is, rises)]
      const isNarrower = rises ? to > from : to < from
      const what = `${key} of ${name} is ${spoken(is)} now and was ${spoken(was)}`
      this.#notify(at(pointer, key), what, isNarrower, !isNarrower)
    }
    for (const key of OPAQUE) {
      const [was, is] = [before[key], after[key]]
      if (same(was, is)) continue
      const what = is === undefined ? `${name} has no ${key} any more` : `${key} of ${name} is another now`
      this.#notify(at(pointer, key), what, is !== undefined, was !== undefined)
    }
    if ((before['uniqueItems'] === true) !== (after['uniqueItems'] === true)) {
      const isUnique = after['uniqueItems'] === true
      const what = `items of ${name} ${isUnique ? 'must differ now' : 'may be the same now'}`
      this.#notify(at(pointer, 'uniqueItems'), what, isUnique, !isUnique)
    }
  }

  #properties(before: JsonObject, after: JsonObject, pointer: string, name: string): void {
    const [was, is] = [schemasOf(before['properties']), schemasOf(after['properties'])]
    const [needed, needs] = [requiredOf(before), requiredOf(after)]
    for (const key of Object.keys(was)) {
      if (Object.hasOwn(is, key)) continue
      // Those who send it are refused or not heard; those who read it find nothing.
      this.#notify(at(pointer, 'properties', key), `${nameOf(name, key)} was removed`, true, true)
    }
    for (const [key, schema] of Object.entries(is)) {
      const place = at(pointer, 'properties', key)
      const called = nameOf(name, key)
      if (Object.hasOwn(was, key)) {
        this.compare(was[key], schema, place, called)
        if (needs.has(key) !== needed.has(key)) {
          const what = needs.has(key) ? `${called} is required now` : `${called} may be left out now`
          this.#notify(place, what, needs.has(key), !needs.has(key))
        }
      } else {
        // Those who know the members that there are, and take no others, meet one that they do not know.
        const widens = before['additionalProperties'] === false || (needed.has(key) && !needs.has(key))
        const what = needs.has(key)
          ? `${called} is new and required`
          : needed.has(key)
            ? `${called} is new and may be left out now`
            : `${called} is new`
        this.#notify(place, what, needs.has(key) && !needed.has(key), widens)
      }
    }
    this.#undescribed(needed, needs, was, is, pointer, name)
    this.#further(before, after, pointer, name)
  }

  /** Members that are required without being described. */
  #undescribed(
    needed: ReadonlySet<string>,
    needs: ReadonlySet<string>,
    was: JsonObject,
    is: JsonObject,
    pointer: string,
    name: string,
  ): void {
    for (const key of new Set([...needed, ...needs])) {
      if (Object.hasOwn(was, key) || Object.hasOwn(is, key) || needed.has(key) === needs.has(key)) continue
      const what = `${nameOf(name, key)} ${needs.has(key) ? 'is required now' : 'may be left out now'}`
      this.#notify(at(pointer, 'required'), what, needs.has(key), !needs.has(key))
    }
  }

  #further(before: JsonObject, after: JsonObject, pointer: string, name: string): void {
    const [was, is] = [before['additionalProperties'] ?? true, after['additionalProperties'] ?? true]
    if (same(was, is)) return
    const place = at(pointer, 'additionalProperties')
    if (is === false) this.#notify(place, `${name} takes no other members any more`, true, false)
    else if (was === false) this.#notify(place, `${name} takes other members now`, false, true)
    else this.compare(was, is, place, `any other member of ${name}`)
  }

  #items(before: JsonObject, after: JsonObject, pointer: string, name: string): void {
    if (before['items'] !== undefined || after['items'] !== undefined) {
      this.compare(
        before['items'] ?? true,
        after['items'] ?? true,
        at(pointer, 'items'),
        `an item of ${name}`,
      )
    }
    const [was, is] = [before['prefixItems'], after['prefixItems']]
    if (!Array.isArray(was) && !Array.isArray(is)) return
    const [wasList, isList]: [unknown[], unknown[]] = [
      Array.isArray(was) ? was : [],
      Array.isArray(is) ? is : [],
    ]
    if (wasList.length === isList.length) {
      for (const [index, item] of isList.entries()) {
        this.compare(wasList[index], item, at(pointer, 'prefixItems', index), `item ${index + 1} of ${name}`)
      }
    } else this.#notify(at(pointer, 'prefixItems'), `${name} has other leading items now`, true, true)
  }

  #alternatives(before: JsonObject, after: JsonObject, pointer: string, name: string): void {
    for (const key of ['anyOf', 'oneOf'] as const) {
      const [was, is] = [listOf(before[key]), listOf(after[key])]
      if (was === undefined && is === undefined) continue
      const place = at(pointer, key)
      if (was === undefined) this.#notify(place, `${name} has to fit one of several now`, true, false)
      else if (is === undefined)
        this.#notify(place, `${name} need not fit one of several any more`, false, true)
      else this.#either(was, is, place, name, key === 'oneOf')
    }
    const [was, is] = [listOf(before['allOf']) ?? [], listOf(after['allOf']) ?? []]
    const added = is.filter((each) => !was.some((other) => this.#fits(each, other)))
    const gone = was.filter((each) => !is.some((other) => this.#fits(other, each)))
    if (added.length > 0) this.#notify(at(pointer, 'allOf'), `${name} has to fit more now`, true, false)
    if (gone.length > 0) this.#notify(at(pointer, 'allOf'), `${name} has to fit less now`, false, true)
  }

  #either(was: unknown[], is: unknown[], place: string, name: string, isExclusive: boolean): void {
    const lost = was.some((each) => !is.some((other) => this.#covers(each, other)))
    const gained = is.some((each) => !was.some((other) => this.#covers(each, other)))
    if (!lost && !gained) return
    const what = lost
      ? `${name} has alternatives that changed or were removed`
      : `${name} has more alternatives now`
    // Of `oneOf` another alternative may also make a value fit two.
    this.#notify(place, what, lost || isExclusive, gained || isExclusive)
  }

  /** Whether all that fits the first (as before) fits the second (as now), or the other way round. */
  #covers(part: unknown, whole: unknown): boolean {
    const [first, second] = [new Comparison(this.#roots.before, this.#roots.after), same(part, whole)]
    if (second) return true
    first.#depth = this.#depth + 1
    first.compare(part, whole, '', '')
    return first.found.every(({ narrows }) => !narrows)
  }

  /** Whether they ask for the same. */
  #fits(part: unknown, other: unknown): boolean {
    return same(resolved(part, this.#roots.after), resolved(other, this.#roots.before))
  }
}

/** A schema as an object, with what its local `$ref` says in it. What cannot be found stays as it is. */
function resolved(schema: unknown, root: unknown): JsonObject {
  let current = schema
  for (let hops = 0; hops < DEEPEST; hops += 1) {
    if (current === false) return { not: {} }
    if (!isJsonObject(current)) return {}
    const { $ref: ref, ...beside } = current
    if (typeof ref !== 'string') return current
    const target = pointed(root, ref)
    if (!isJsonObject(target)) return { ...beside, not: { $ref: ref } }
    current = { ...target, ...beside }
  }
  return { not: {} }
}

function pointed(root: unknown, ref: string): unknown {
  if (!ref.startsWith('#')) return undefined
  let place = root
  for (const part of ref.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(place)) place = place[Number(key)]
    else if (isJsonObject(place) && Object.hasOwn(place, key)) place = place[key]
    else return undefined
  }
  return place
}

function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema
  const types = Array.isArray(type) ? type : type === undefined ? TYPES : [type]
  return types.filter((each) => typeof each === 'string')
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const']]
  const values = schema['enum']
  return Array.isArray(values) ? values : undefined
}

function boundOf(value: unknown, rises: boolean): number {
  if (typeof value === 'number') return value
  return rises ? -Infinity : Infinity
}

function schemasOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function requiredOf({ required }: JsonObject): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? required.filter((each) => typeof each === 'string') : [])
}

function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

function same(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => same(item, other[index]))
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
  )
}

function at(pointer: string, ...parts: readonly (string | number)[]): string {
  const escaped = parts.map(pointerStep)
  return [pointer, ...escaped].join('/')
}

function nameOf(parent: string, key: string): string {
  return parent === 'the value' || parent === '' ? key : `${parent}.${key}`
}

function wordsOf(types: readonly string[]): string {
  return types.length >= TYPES.length - 1 ? 'anything' : types.join(' or ')
}

function listed(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ')
}

function spoken(bound: unknown): string {
  return bound === undefined ? 'not set' : JSON.stringify(bound)
}
