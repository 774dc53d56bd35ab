import { canonicalJson } from '../protocol/canonical-json.ts'
import { isJsonObject, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import type { Parsed } from '../protocol/parsed.ts'
import { faultyObjects } from './invalid-values.ts'
import { isValidInput } from './input-validity.ts'
import { Random } from './random.ts'
import { resolved } from './resolved-schema.ts'
import { objectEdges, randomValue } from './valid-values.ts'

/** Arguments for one call; `fault` says in what they break the schema. */
export type InputCase = { readonly input: JsonObject; readonly fault?: string }

/** Values that are tried for one random case. */
const TRIES = 8

/**
 * The cases of a tool, at most `runs`: edges and faults in turn, then values by chance. The same seed gives the same
 * cases. The reason says why none can be made.
 */
export async function inputCases(
  schema: JsonSchema,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Promise<Parsed<readonly InputCase[]>> {
  const whole = resolved(schema, schema)
  const sorted = new CaseSorter(schema)
  for (const input of objectEdges(whole, schema)) await sorted.add(input)
  for (const { value, fault } of faultyObjects(whole, schema))
    if (isJsonObject(value)) await sorted.add(value, fault)
  const random = new Random(seed)
  for (let tries = 0; tries < runs * TRIES && sorted.count < runs; tries += 1) {
    const input = randomValue(whole, schema, random)
    if (isJsonObject(input)) await sorted.add(input)
  }
  if (sorted.problem !== undefined) return { ok: false, reason: sorted.problem }
  return { ok: true, value: sorted.take(runs) }
}

/** Keeps each value once, among the valid or the faulty ones. */
class CaseSorter {
  problem: string | undefined
  readonly #valid: InputCase[] = []
  readonly #faulty: InputCase[] = []
  readonly #seen = new Set<string>()
  readonly #schema: JsonSchema

  constructor(schema: JsonSchema) {
    this.#schema = schema
  }

  get count(): number {
    return this.#valid.length + this.#faulty.length
  }

  /** @param fault what was broken on purpose; a valid value that should not be is left out, and the reverse */
  async add(input: JsonObject, fault?: string): Promise<void> {
    const text = canonicalJson(input)
    if (this.problem !== undefined || this.#seen.has(text)) return
    this.#seen.add(text)
    const valid = await isValidInput(this.#schema, input)
    if (!valid.ok) this.problem = valid.reason
    else if (fault === undefined && valid.value) this.#valid.push({ input })
    else if (fault !== undefined && !valid.value) this.#faulty.push({ input, fault })
  }

  /** Valid and faulty ones in turn, so that few runs have both. */
  take(runs: number): readonly InputCase[] {
    const longest = Math.max(this.#valid.length, this.#faulty.length)
    return Array.from({ length: longest }, (_, at) => [
      ...this.#valid.slice(at, at + 1),
      ...this.#faulty.slice(at, at + 1),
    ])
      .flat()
      .slice(0, runs)
  }
}
