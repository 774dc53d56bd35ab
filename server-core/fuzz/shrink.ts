import { isJsonObject, type JsonObject } from '../protocol/json.ts'

/** Arguments that are smaller than these, in one step each, the smallest first. */
export function smallerInputs(input: JsonObject): readonly JsonObject[] {
  const size = sizeOf(input)
  return smallerObjects(input)
    .map((each) => ({ each, size: sizeOf(each) }))
    .filter((candidate) => isSmaller(candidate.size, size))
    .toSorted((one, other) => (isSmaller(one.size, other.size) ? -1 : 1))
    .map(({ each }) => each)
}

/** Length as JSON, sum of the numbers, count of unusual characters: the first that differs decides. */
type Size = readonly [length: number, numbers: number, unusual: number]

function sizeOf(value: unknown): Size {
  const text = JSON.stringify(value)
  const numbers = text.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? []
  const sum = numbers.reduce((total, each) => total + Math.abs(Number(each)), 0)
  return [text.length, sum, text.replaceAll(/[a\d]/g, '').length]
}

function isSmaller(one: Size, other: Size): boolean {
  const at = one.findIndex((part, index) => part !== other[index])
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0)
}

function smallerObjects(object: JsonObject): readonly JsonObject[] {
  const entries = Object.entries(object)
  return [
    ...(entries.length > 1 ? [{}] : []),
    ...entries.map(([name]) => Object.fromEntries(entries.filter(([other]) => other !== name))),
    ...entries.flatMap(([name, value]) =>
      smallerValues(value).map((smaller) => ({ ...object, [name]: smaller })),
    ),
  ]
}

function smallerValues(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return smallerTexts(value)
  if (typeof value === 'number') return smallerNumbers(value)
  if (value === true) return [false]
  if (Array.isArray(value)) return smallerLists(value as unknown[])
  return isJsonObject(value) ? smallerObjects(value) : []
}

function smallerTexts(text: string): readonly string[] {
  const characters = Array.from(text)
  if (characters.length === 0) return []
  const half = Math.floor(characters.length / 2)
  const parts = [
    [],
    characters.slice(0, half),
    characters.slice(half),
    characters.slice(0, -1),
    characters.slice(1),
  ]
  const plain = characters.map(() => 'a').join('')
  return [...new Set([...parts.map((part) => part.join('')), ...(plain === text ? [] : [plain])])].filter(
    (each) => each !== text,
  )
}

function smallerNumbers(value: number): readonly number[] {
  if (value === 0) return []
  const toward = value > 0 ? -1 : 1
  const whole = Math.trunc(value)
  const parts = [2, 4, 16].map((part) => whole - Math.trunc(value / part))
  const candidates = [0, whole, ...parts, whole + toward]
  return [...new Set(candidates)].filter((each) => Math.abs(each) < Math.abs(value))
}

function smallerLists(list: readonly unknown[]): readonly (readonly unknown[])[] {
  if (list.length === 0) return []
  return [
    [],
    list.slice(0, Math.floor(list.length / 2)),
    ...list.map((_, at) => list.filter((_item, other) => other !== at)),
    ...list.flatMap((item, at) => smallerValues(item).map((smaller) => list.with(at, smaller))),
  ].filter((each) => each.length < list.length || each.length > 0)
}
