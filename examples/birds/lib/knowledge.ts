import { z } from 'patchbay'
import written from '../rules/birds.json' with { type: 'json' }

/** What must hold: values by attribute, all of them. */
const conditions = z.record(z.string(), z.string())

const format = z.object({
  /** What can be seen of a bird, each with the question for it and the answers that there are. */
  attributes: z.record(
    z.string(),
    z.object({ question: z.string(), values: z.record(z.string(), z.string()) }),
  ),
  /** What follows from what: orders from what is seen, families from orders. */
  rules: z.array(z.object({ if: conditions, then: conditions })),
  /** Each is known by one or several sets of signs. */
  birds: z.array(
    z.object({
      id: z.string().regex(/^[a-z_]+$/),
      name: z.string(),
      latin: z.string(),
      about: z.string(),
      signs: z.array(conditions).min(1),
    }),
  ),
})

export type Conditions = z.infer<typeof conditions>
export type Knowledge = z.infer<typeof format>
export type Bird = Knowledge['birds'][number]
export type Attribute = Knowledge['attributes'][string]

/** The rules of this workspace, `rules/birds.json`. They are part of the scripts: saving the file reloads these. */
export const KNOWLEDGE = readKnowledge(written)

/** Checks rules. Throws an error that names the rule or bird which says something that is not known. */
export function readKnowledge(data: unknown): Knowledge {
  const knowledge = format.parse(data)
  const { attributes, rules, birds } = knowledge
  const derived = rules.map(({ then }) => then)
  const check = (where: string, wanted: Conditions): void => {
    for (const [attribute, value] of Object.entries(wanted)) {
      const seen = attributes[attribute]
      const isKnown =
        seen === undefined
          ? derived.some((then) => then[attribute] === value)
          : Object.hasOwn(seen.values, value)
      if (!isKnown) throw new Error(`${where} asks for ${attribute} = ${value}, which nothing can be.`)
    }
  }
  for (const { if: wanted, then } of rules) {
    const where = `The rule for ${listed(then)}`
    const own = Object.keys(then).find((attribute) => Object.hasOwn(attributes, attribute))
    if (own !== undefined) throw new Error(`${where} says what ${own} is, but that is for eyes to see.`)
    check(where, wanted)
    const circle = Object.keys(wanted).find((attribute) => leadsTo(rules, attribute, then))
    if (circle !== undefined) throw new Error(`${where} goes round in a circle over ${circle}.`)
  }
  for (const { id, signs } of birds) for (const wanted of signs) check(`The bird ${id}`, wanted)
  const twice = birds.find(({ id }, at) => birds.findIndex((other) => other.id === id) !== at)
  if (twice !== undefined) throw new Error(`There are two birds ${twice.id}.`)
  return knowledge
}

/** Whether knowing `attribute` takes a rule that needs what `then` gives. */
function leadsTo(
  rules: Knowledge['rules'],
  attribute: string,
  then: Conditions,
  met: ReadonlySet<string> = new Set(),
): boolean {
  if (Object.hasOwn(then, attribute)) return true
  if (met.has(attribute)) return false
  const further = rules
    .filter((rule) => Object.hasOwn(rule.then, attribute))
    .flatMap((rule) => Object.keys(rule.if))
  return further.some((one) => leadsTo(rules, one, then, new Set([...met, attribute])))
}

/** Conditions in words: `order = owl and voice = hoot`. */
export function listed(wanted: Conditions): string {
  return Object.entries(wanted)
    .map(([attribute, value]) => `${attribute} = ${value}`)
    .join(' and ')
}
