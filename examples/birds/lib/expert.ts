import { listed, type Attribute, type Bird, type Conditions, type Knowledge } from './knowledge.ts'

/** Said of an attribute that nobody could see. */
export const UNKNOWN = 'unknown'
/** The value of an attribute that the rules do not know. */
export const OTHER = 'other'

/** What is known: values by attribute, `unknown` and `other` among them. */
export type Facts = Readonly<Record<string, string>>

/** One way to know a bird by what can be seen alone, and the rules that lead there. */
export type Proof = { readonly bird: Bird; readonly needs: Conditions; readonly steps: readonly string[] }

/** What to ask next, and what for. */
export type Question = {
  readonly attribute: string
  readonly question: string
  readonly values: Attribute['values']
  readonly why: string
}

export type Judgement = {
  /** All that it needs holds. */
  readonly proved: readonly Proof[]
  /** Nothing speaks against them. */
  readonly possible: readonly Proof[]
  /** Missing when nothing is left to ask. */
  readonly next?: Question
}

/** Birds named in the reason for a question. */
const NAMED = 3

/**
 * An expert system: rules lead from what is seen to orders, families and birds. It goes backwards from the birds that
 * are still possible and asks what halves them best, so it asks for nothing that decides nothing.
 */
export class Expert {
  readonly #knowledge: Knowledge
  readonly #proofs: readonly Proof[]

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge
    this.#proofs = knowledge.birds.flatMap((bird) =>
      bird.signs.flatMap((signs) =>
        this.#ways(signs).map(({ needs, steps }) => ({
          bird,
          needs,
          steps: [...steps, `${bird.name}: because ${listed(signs)}`],
        })),
      ),
    )
  }

  /** Every way to know a bird. */
  proofsOf(id: string): readonly Proof[] {
    return this.#proofs.filter(({ bird }) => bird.id === id)
  }

  /** What follows from what is known, and what to ask next. */
  judge(facts: Facts): Judgement {
    const possible = this.#proofs.filter(({ needs }) =>
      entriesOf(needs).every((need) => mayHold(need, facts)),
    )
    const proved = possible.filter(({ needs }) =>
      entriesOf(needs).every(([attribute, value]) => facts[attribute] === value),
    )
    const next = proved.length > 0 ? undefined : this.#question(possible, facts)
    return { proved, possible, ...(next === undefined ? {} : { next }) }
  }

  /** All ways in which conditions come down to what can be seen. */
  #ways(wanted: Conditions): readonly Omit<Proof, 'bird'>[] {
    return entriesOf(wanted).reduce<readonly Omit<Proof, 'bird'>[]>(
      (ways, [attribute, value]) => {
        const more = this.#rulesFor(attribute, value)
        return ways.flatMap((way) =>
          more
            .filter(({ needs }) => entriesOf(needs).every(([name, one]) => (way.needs[name] ?? one) === one))
            .map(({ needs, steps }) => ({
              needs: { ...way.needs, ...needs },
              steps: [...new Set([...way.steps, ...steps])],
            })),
        )
      },
      [{ needs: {}, steps: [] }],
    )
  }

  #rulesFor(attribute: string, value: string): readonly Omit<Proof, 'bird'>[] {
    if (Object.hasOwn(this.#knowledge.attributes, attribute))
      return [{ needs: { [attribute]: value }, steps: [] }]
    return this.#knowledge.rules
      .filter(({ then }) => then[attribute] === value)
      .flatMap(({ if: wanted, then }) =>
        this.#ways(wanted).map(({ needs, steps }) => ({
          needs,
          steps: [...steps, `${listed(then)}: because ${listed(wanted)}`],
        })),
      )
  }

  #question(possible: readonly Proof[], facts: Facts): Question | undefined {
    const open = Object.keys(this.#knowledge.attributes)
      .filter(
        (attribute) => facts[attribute] === undefined && possible.some(({ needs }) => attribute in needs),
      )
      .map((attribute) => ({ attribute, left: expectedLeft(possible, attribute) }))
    const [best] = open.toSorted((a, b) => a.left - b.left)
    const asked = best === undefined ? undefined : this.#knowledge.attributes[best.attribute]
    if (best === undefined || asked === undefined) return undefined
    const { attribute } = best
    // What none of the birds needs would be no better an answer than that it is something else.
    const values = Object.entries(asked.values).filter(([value]) =>
      possible.some(({ needs }) => needs[attribute] === value),
    )
    return {
      attribute,
      question: asked.question,
      values: Object.fromEntries(values),
      why: whyAsked(possible, attribute),
    }
  }
}

/** How many proofs an answer leaves on average, if each of them is as likely as the others. */
function expectedLeft(possible: readonly Proof[], attribute: string): number {
  const counts = new Map<string | undefined, number>()
  for (const { needs } of possible) counts.set(needs[attribute], (counts.get(needs[attribute]) ?? 0) + 1)
  const indifferent = counts.get(undefined) ?? 0
  const answers = [...counts].filter(([value]) => value !== undefined).map(([, count]) => count)
  // Who is indifferent may answer anything, which leaves the other indifferent ones.
  const sum =
    answers.reduce((left, count) => left + count * (count + indifferent), 0) + indifferent * possible.length
  return sum / possible.length
}

function whyAsked(possible: readonly Proof[], attribute: string): string {
  const names = [...new Set(possible.filter(({ needs }) => attribute in needs).map(({ bird }) => bird.name))]
  const all = new Set(possible.map(({ bird }) => bird.id)).size
  if (all === 1) return `It confirms whether it is a ${names[0] ?? ''}.`
  const shown = names.slice(0, NAMED).join(', ')
  const more = names.length > NAMED ? ` and ${names.length - NAMED} others` : ''
  return `It decides on ${shown}${more}, of ${all} birds that are possible.`
}

function mayHold([attribute, value]: readonly [string, string], facts: Facts): boolean {
  const known = facts[attribute]
  return known === undefined || known === UNKNOWN || known === value
}

function entriesOf(wanted: Conditions): readonly (readonly [string, string])[] {
  return Object.entries(wanted)
}
