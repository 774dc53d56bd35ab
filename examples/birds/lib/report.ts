import { link, text, z } from 'patchbay'
import type { Facts, Judgement, Question } from './expert.ts'
import { KNOWLEDGE, type Bird } from './knowledge.ts'

const bird = z.object({ id: z.string(), name: z.string(), uri: z.string() })

/** What identify_bird gives, asked or not. */
export const identification = z.object({
  status: z
    .enum(['identified', 'need', 'undecided', 'none'])
    .describe(
      'need: tell what is asked for and call again; undecided: several fit, and nothing more can be asked',
    ),
  bird: bird.optional(),
  candidates: z.array(bird),
  facts: z.record(z.string(), z.string()),
  why: z.array(z.string()).describe('The rules that led there'),
  need: z
    .object({
      attribute: z.string(),
      question: z.string(),
      why: z.string(),
      choices: z.array(z.object({ value: z.string(), meaning: z.string() })),
    })
    .optional(),
})

export type Identification = z.infer<typeof identification>

/** The URI under which a bird is read. */
export function uriOf({ id }: Pick<Bird, 'id'>): string {
  return `birds://bird/${id}`
}

/** Puts a judgement into the form that clients get. */
export function identified({ proved, possible, next }: Judgement, facts: Facts): Identification {
  const [proof] = proved
  const candidates = KNOWLEDGE.birds
    .filter(({ id }) => possible.some((one) => one.bird.id === id))
    .map(briefly)
  const base = { candidates, facts: { ...facts } }
  if (proof !== undefined) {
    return {
      status: 'identified',
      ...base,
      bird: briefly(proof.bird),
      candidates: [briefly(proof.bird)],
      why: [...proof.steps],
    }
  }
  if (next !== undefined) return { status: 'need', ...base, why: [], need: needed(next) }
  return { status: candidates.length === 0 ? 'none' : 'undecided', ...base, why: [] }
}

/** The result of the tool: words for people, links to the birds, and the data. */
export function asResult(told: Identification) {
  const links = (told.bird === undefined ? told.candidates.slice(0, 5) : [told.bird]).map((one) =>
    link(one.uri, one.id, { title: one.name, mimeType: 'text/markdown' }),
  )
  return { content: [text(inWords(told)), ...(told.status === 'need' ? [] : links)], structuredContent: told }
}

function inWords({ status, bird: found, candidates, why, need }: Identification): string {
  const names = candidates.map(({ name }) => name).join(', ')
  switch (status) {
    case 'identified':
      return [`It is a ${found?.name ?? ''}.`, ...why.map((step) => `- ${step}`)].join('\n')
    case 'none':
      return 'None of the birds that I know looks like that.'
    case 'undecided':
      return `It may be one of these: ${names}.`
    case 'need': {
      const { attribute = '', question = '', why: reason = '', choices = [] } = need ?? {}
      const values = choices.map(({ value, meaning }) => `- ${value}: ${meaning}`)
      return [`I need to know ${attribute}: ${question} ${reason}`, ...values, `Possible are ${names}.`].join(
        '\n',
      )
    }
  }
}

function needed({ attribute, question, why, values }: Question): Identification['need'] {
  const choices = Object.entries(values).map(([value, meaning]) => ({ value, meaning }))
  return { attribute, question, why, choices: [...choices, ...FURTHER] }
}

/** What can be said of every attribute. */
export const FURTHER = [
  { value: 'other', meaning: 'None of these' },
  { value: 'unknown', meaning: 'I do not know' },
] as const

function briefly(one: Bird) {
  return { id: one.id, name: one.name, uri: uriOf(one) }
}
