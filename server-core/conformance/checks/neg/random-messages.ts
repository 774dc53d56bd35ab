import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'

/** A generator of numbers from 0 to 1 that repeats itself for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function deep(levels: number): unknown {
  let value: unknown = 0
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

const VALUES: readonly (() => unknown)[] = [
  () => null,
  () => 1.5,
  () => -1,
  () => 'x',
  () => '',
  () => [],
  () => ({}),
  () => true,
  () => deep(200),
  () => 'y'.repeat(20_000),
  () => ({ ['__proto__']: 1, constructor: 2 }),
]

/** Members of a value that may be spoiled, as holders and keys. */
function places(value: unknown, found: { holder: JsonObject; key: string }[] = []) {
  if (!isJsonObject(value)) return found
  for (const key of Object.keys(value)) {
    if (key !== 'id') found.push({ holder: value, key })
    places(value[key], found)
  }
  return found
}

/** One message spoiled in one place: types changed, members left out or doubled, text cut. The id stays. */
export function spoil(message: JsonObject, random: () => number): string {
  const copy = structuredClone(message) as Record<string, unknown>
  const all = places(copy)
  const place = all[Math.floor(random() * all.length)]
  const kind = random()
  if (place === undefined || kind < 0.1) {
    const text = JSON.stringify(copy)
    return text.slice(0, Math.floor(random() * text.length))
  }
  const holder = place.holder as Record<string, unknown>
  if (kind < 0.2) Reflect.deleteProperty(holder, place.key)
  else if (kind < 0.3) return JSON.stringify(copy).replace('{', '{"jsonrpc":"2.0",')
  else holder[place.key] = (VALUES[Math.floor(random() * VALUES.length)] ?? VALUES[0])?.()
  return JSON.stringify(copy)
}
