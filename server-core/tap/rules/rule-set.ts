import { seededRandom } from '../../faults/seeded-random.ts'
import { backtracks } from '../../protocol/patterns/linear-pattern.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { matches, type TextTest } from './match-rule.ts'
import type { MessageFacts } from './message-facts.ts'
import type { TapRule, TapRules } from './rule-schema.ts'

/** A rule that applies to a message. `draw` returns a number from 0 to below 1 that belongs to this occasion. */
export type AppliedRule = { readonly rule: TapRule; readonly draw: (name: string) => number }

type CountedRule = {
  readonly rule: TapRule
  readonly pattern: TextTest | undefined
  /** Messages that matched, before the limits of the match. */
  matched: number
  hits: number
}

/**
 * The rules of a tap in their order, with their counts. The same seed and the same messages make the same choices.
 *
 * @throws RangeError for a regular expression that cannot be used
 */
export class RuleSet {
  readonly #seed: number
  readonly #rules: readonly CountedRule[]

  constructor({ seed, on, rules }: Pick<TapRules, 'seed' | 'on' | 'rules'>) {
    this.#seed = seed
    this.#rules = rules
      .filter(({ enabled }) => on && enabled)
      .map((rule) => ({ rule, pattern: patternOf(rule), matched: 0, hits: 0 }))
  }

  /** No rule can apply. */
  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /** How often each rule applied, by id. */
  get hits(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#rules.map(({ rule, hits }) => [rule.id, hits]))
  }

  /** The first rule that applies to a message; undefined if none does. */
  choose(facts: MessageFacts, text: () => string): AppliedRule | undefined {
    for (const counted of this.#rules) {
      const { rule, pattern } = counted
      if (!matches(rule.match, facts, text, pattern)) continue
      const occasion = counted.matched
      counted.matched += 1
      const { after = 0, times = Infinity, probability = 1 } = rule.match
      if (occasion < after || counted.hits >= times) continue
      if (probability < 1 && seededRandom(this.#seed, rule.id, occasion) >= probability) continue
      counted.hits += 1
      return { rule, draw: (name) => seededRandom(this.#seed, `${rule.id}/${name}`, occasion) }
    }
    return undefined
  }
}

function patternOf({ id, match: { pattern } }: TapRule): TextTest | undefined {
  if (pattern === undefined) return undefined
  let compiled: RegExp
  try {
    compiled = new RegExp(pattern, 'u')
  } catch (error) {
    throw new RangeError(`the pattern of rule "${id}" is not a regular expression: ${messageOf(error)}`, {
      cause: error,
    })
  }
  if (backtracks(compiled.source))
    throw new RangeError(
      `the pattern of rule "${id}" could take minutes on a long text: expected one without nested repeats`,
    )
  return compiled
}
