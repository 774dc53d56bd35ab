import fc from 'fast-check'
import { isJsonObject } from '../../server-core/protocol/json.ts'

/** One of each JSON type, to stand where another is expected. */
const OTHERS: readonly unknown[] = [null, true, 7, -1, 1.5, 'text', [], [1], ['text'], {}, { text: 'text' }]

/**
 * The same value with one thing wrong or merely different: a member taken away, or one replaced by a value of another
 * kind. Undefined if the value has no members.
 */
export function mutantsOf(value: unknown): fc.Arbitrary<unknown> | undefined {
  const places = placesIn(value, [])
  if (places.length === 0) return undefined
  return fc
    .tuple(fc.constantFrom(...places), fc.option(fc.constantFrom(...OTHERS), { nil: undefined }))
    .map(([place, other]) => changed(value, place, other))
}

type Place = readonly (string | number)[]

function placesIn(value: unknown, at: Place): readonly Place[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => [[...at, index], ...placesIn(item, [...at, index])])
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => [[...at, key], ...placesIn(member, [...at, key])])
}

/** Takes the member away if there is nothing to put in its place. */
function changed(value: unknown, place: Place, other: unknown): unknown {
  const [step, ...rest] = place
  if (step === undefined) return other
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    if (rest.length === 0 && other === undefined) return items.filter((_, index) => index !== step)
    return items.map((item, index) => (index === step ? changed(item, rest, other) : item))
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  const kept = rest.length === 0 && other === undefined ? entries.filter(([key]) => key !== step) : entries
  return Object.fromEntries(
    kept.map(([key, member]) => [key, key === step ? changed(member, rest, other) : member]),
  )
}
