import { setTimeout as pause } from 'node:timers/promises'
import { tool } from 'patchbay'
import { numberOf, textOf, textsOf } from '../lib/arguments.ts'
import { INDEX_URI, NOTE_MIME_TYPE, NOTE_SUMMARY_SCHEMA, noteSummary, noteUri } from '../lib/note.ts'
import { allNotes, findNote, keepNote, keepWords, removeNote } from '../lib/notebook.ts'
import { excerptOf, foundNotes, MIN_WORD_LENGTH, wordsOf } from '../lib/search.ts'

// A script may export many tools, each under its own name. The schemas here are plain JSON Schema, which is checked before
// a handler runs; the other scripts of this workspace use zod.

/** Words that the index lists. */
const LISTED_WORDS = 20

/** Its result is structured, links to the new resource, and reports that lists changed. */
export const create_note = tool({
  title: 'Create a note',
  description:
    'Keeps a new note and gives its id and URI. Notes live in memory: they are lost when Patchbay ends.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: {
    type: 'object',
    properties: {
      title: {
        type: 'string',
        title: 'Title',
        description: 'One line that says what the note is about.',
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
      },
      text: {
        type: 'string',
        title: 'Text',
        description: 'The note itself, as Markdown.',
        maxLength: 20_000,
        default: '',
      },
      tags: {
        type: 'array',
        title: 'Tags',
        description: 'Words to find the note by.',
        items: { type: 'string', minLength: 1, maxLength: 40 },
        maxItems: 20,
        default: [],
      },
    },
    required: ['title'],
    additionalProperties: false,
  },
  output: NOTE_SUMMARY_SCHEMA,
  async run(args, ctx) {
    const title = textOf(args, 'title')
    if (title === '') throw new Error('A note needs a title: a text that is not only white space.')
    const note = await keepNote(ctx.store, { title, text: textOf(args, 'text'), tags: textsOf(args, 'tags') })
    ctx.changed({ kind: 'resources' })
    ctx.changed({ uri: INDEX_URI })
    const summary = noteSummary(note)
    return {
      content: [
        { type: 'text', text: JSON.stringify(summary) },
        { type: 'resource_link', uri: noteUri(note), name: note.title, mimeType: NOTE_MIME_TYPE },
      ],
      structuredContent: summary,
    }
  },
})

/** Only reads. */
export const search_notes = tool({
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
            ...NOTE_SUMMARY_SCHEMA.properties,
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
    const found = foundNotes(await allNotes(store), words)
    const notes = found
      .slice(0, numberOf(args, 'limit', 10))
      .map((note) => ({ ...noteSummary(note), excerpt: excerptOf(note.text, words) }))
    return { total: found.length, notes }
  },
})

/** Can be called without arguments. */
export const list_notes = tool({
  title: 'List notes',
  description: 'Lists all notes, newest first, or those with one tag.',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    type: 'object',
    properties: {
      tag: {
        type: 'string',
        title: 'Tag',
        description: 'Only notes with this tag.',
        minLength: 1,
        maxLength: 40,
      },
    },
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      total: { type: 'integer', description: 'How many notes there are in all.' },
      notes: { type: 'array', items: NOTE_SUMMARY_SCHEMA },
    },
    required: ['total', 'notes'],
  },
  async run(args, { store }) {
    const tag = textOf(args, 'tag')
    const notes = await allNotes(store)
    const wanted = tag === '' ? notes : notes.filter(({ tags }) => tags.includes(tag))
    return { total: notes.length, notes: wanted.toReversed().map(noteSummary) }
  },
})

/** Runs slowly: it reports its progress, writes to the log and can be cancelled. */
export const index_notes = tool({
  title: 'Index notes',
  description:
    'Goes through all notes one by one, telling its progress, and lists the most used words in notes://index.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  timeout: 120_000,
  input: {
    type: 'object',
    properties: {
      pauseMs: {
        type: 'integer',
        title: 'Pause',
        description: 'Milliseconds to rest after each step, to watch the progress or to try cancelling.',
        minimum: 0,
        maximum: 1_000,
        default: 100,
      },
    },
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      notes: { type: 'integer', description: 'How many notes were read.' },
      words: { type: 'integer', description: 'How many words they have.' },
      mostUsed: {
        type: 'array',
        description: `The most used words of ${MIN_WORD_LENGTH} letters or more.`,
        items: {
          type: 'object',
          properties: { word: { type: 'string' }, count: { type: 'integer' } },
          required: ['word', 'count'],
        },
      },
    },
    required: ['notes', 'words', 'mostUsed'],
  },
  async run(args, ctx) {
    const rest = numberOf(args, 'pauseMs', 100)
    const notes = await allNotes(ctx.store)
    const steps = notes.length + 2
    const counts = new Map<string, number>()
    let words = 0
    ctx.progress(1, steps, notes.length === 1 ? 'Found 1 note' : `Found ${notes.length} notes`)
    for (const [position, note] of notes.entries()) {
      await pause(rest, undefined, { signal: ctx.signal })
      for (const word of wordsOf(`${note.title} ${note.text}`)) {
        words += 1
        if (word.length >= MIN_WORD_LENGTH) counts.set(word, (counts.get(word) ?? 0) + 1)
      }
      ctx.progress(position + 2, steps, `Read “${note.title}”`)
    }
    await pause(rest, undefined, { signal: ctx.signal })
    const mostUsed = [...counts]
      .map(([word, count]) => ({ word, count }))
      .sort((a, b) => b.count - a.count || a.word.localeCompare(b.word))
      .slice(0, LISTED_WORDS)
    await keepWords(ctx.store, { at: new Date().toISOString(), words: mostUsed })
    ctx.progress(steps, steps, 'Wrote the index')
    ctx.log.info({ message: 'Indexed the notes', notes: notes.length, words }, 'notes')
    ctx.changed({ uri: INDEX_URI })
    return { notes: notes.length, words, mostUsed }
  },
})

/** Asks before it does what cannot be undone. */
export const delete_note = tool({
  title: 'Delete a note',
  description: 'Deletes one note, once the user has said yes. Fails where the client cannot ask its user.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: {
    type: 'object',
    properties: { id: { type: 'string', title: 'Note', description: 'The id of the note.', minLength: 1 } },
    required: ['id'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { deleted: { type: 'boolean' } },
    required: ['deleted'],
  },
  async run(args, ctx) {
    const id = textOf(args, 'id')
    const note = await findNote(ctx.store, id)
    if (note === undefined)
      throw new Error(`There is no note ${id}; list_notes gives the ids of those there are.`)
    const answer = await ctx.elicit(`Delete the note “${note.title}”?`, {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: 'Yes, delete it', default: false } },
      required: ['confirm'],
    })
    if (answer['confirm'] !== true) return { deleted: false }
    const deleted = await removeNote(ctx.store, id)
    ctx.changed({ kind: 'resources' })
    ctx.changed({ uri: INDEX_URI })
    return { deleted }
  },
})
