import type { Registry } from '../../registry/registry.ts'
import { NOTE_SUMMARY_SCHEMA, noteSummary, type Note } from '../note.ts'
import type { Notebook } from '../notebook.ts'
import { numberOf, textOf } from './arguments.ts'

/** Characters shown before and after the first place that was found. */
const EXCERPT_MARGIN = 60
/** What a word is worth by where it stands. */
const IN_TITLE = 3
const IN_TAG = 2
const IN_TEXT = 1

/** Registers `search_notes`, a tool that only reads; its result is structured. */
export function addSearchNotes(registry: Registry, notebook: Notebook): void {
  registry.addTool({
    name: 'search_notes',
    title: 'Search notes',
    description:
      'Finds the notes that contain every word of the query, in title, tags or text, whatever the case. Best first.',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    input: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          title: 'Query',
          description: 'One or more words.',
          minLength: 1,
          maxLength: 200,
          pattern: '\\S',
        },
        limit: {
          type: 'integer',
          title: 'Limit',
          description: 'How many notes to give at most.',
          minimum: 1,
          maximum: 50,
          default: 10,
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        total: { type: 'integer', description: 'How many notes were found.' },
        notes: {
          type: 'array',
          items: {
            ...NOTE_SUMMARY_SCHEMA,
            properties: {
              ...(NOTE_SUMMARY_SCHEMA['properties'] as object),
              excerpt: { type: 'string', description: 'The text around the first word that was found.' },
            },
          },
        },
      },
      required: ['total', 'notes'],
    },
    async run(args, { store }) {
      const words = textOf(args, 'query').toLowerCase().split(/\s+/).filter(Boolean)
      if (words.length === 0) throw new Error('A search needs at least one word in "query".')
      const found = (await notebook.all(store))
        .map((note) => ({ note, score: scoreOf(note, words) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
      const notes = found
        .slice(0, numberOf(args, 'limit', 10))
        .map(({ note }) => ({ ...noteSummary(note), excerpt: excerptOf(note.text, words) }))
      return { total: found.length, notes }
    },
  })
}

/** Zero unless every word is in the note. */
function scoreOf({ title, tags, text }: Note, words: readonly string[]): number {
  const [inTitle, inTags, inText] = [title, tags.join('\n'), text].map((part) => part.toLowerCase())
  let score = 0
  for (const word of words) {
    const worth =
      (inTitle?.includes(word) === true ? IN_TITLE : 0) +
      (inTags?.includes(word) === true ? IN_TAG : 0) +
      (inText?.includes(word) === true ? IN_TEXT : 0)
    if (worth === 0) return 0
    score += worth
  }
  return score
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place !== -1)
  const place = places.length === 0 ? 0 : Math.min(...places)
  const from = Math.max(0, place - EXCERPT_MARGIN)
  const to = place + EXCERPT_MARGIN
  const line = text.slice(from, to).replace(/\s+/g, ' ').trim().toWellFormed()
  return `${from > 0 ? '…' : ''}${line}${to < text.length ? '…' : ''}`
}
