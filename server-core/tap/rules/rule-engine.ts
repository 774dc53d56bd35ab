import type { Frame } from '../../ports/tap.ts'
import { applyAction, type Decision } from './apply-action.ts'
import { MessageReader, type MessageFacts } from './message-facts.ts'
import { RuleSet } from './rule-set.ts'
import type { Direction, TapRules } from './rule-schema.ts'

/** What is to be done with a message, and what it is. */
export type Decided = { readonly decision: Decision; readonly facts: MessageFacts; readonly ruleId: string }

/** Decides about each message of a connection, in both directions. */
export class RuleEngine {
  readonly #reader = new MessageReader()
  #rules: RuleSet

  /** @throws RangeError for a regular expression that cannot be used */
  constructor(rules: TapRules) {
    this.#rules = new RuleSet(rules)
  }

  /** Puts other rules in place of the present ones; their counts begin again. @throws RangeError */
  replace(rules: TapRules): void {
    this.#rules = new RuleSet(rules)
  }

  get isEmpty(): boolean {
    return this.#rules.isEmpty
  }

  get hits(): Readonly<Record<string, number>> {
    return this.#rules.hits
  }

  /** Decides about a message; undefined if no rule applies, and it goes on as it came. `reader` knows its request. */
  decide(direction: Direction, frame: Frame, reader = this.#reader): Decided | undefined {
    const facts = reader.read(direction, frame.kind === 'message' ? frame.parsed : undefined)
    const { bytes } = frame
    const text = (): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
    const applied = this.#rules.choose(facts, text)
    if (applied === undefined) return undefined
    return { decision: applyAction(applied, facts, bytes), facts, ruleId: applied.rule.id }
  }
}
