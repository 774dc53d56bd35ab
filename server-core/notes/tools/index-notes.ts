import { setTimeout as pause } from 'node:timers/promises'
import type { Registry } from '../../registry/registry.ts'
import { INDEX_URI } from '../note.ts'
import type { Notebook } from '../notebook.ts'
import { numberOf } from './arguments.ts'

/** Words that the index lists. */
const LISTED_WORDS = 20
/** Shorter words say little. */
const MIN_WORD_LENGTH = 4

/** Registers `index_notes`, the tool that takes its time: it tells its progress and can be cancelled. */
export function addIndexNotes(registry: Registry, notebook: Notebook): void {
  registry.addTool({
    name: 'index_notes',
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
      const notes = await notebook.all(ctx.store)
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
      await notebook.keepWords(ctx.store, { at: new Date().toISOString(), words: mostUsed })
      ctx.progress(steps, steps, 'Wrote the index')
      ctx.log.info({ message: 'Indexed the notes', notes: notes.length, words }, 'notes')
      ctx.changed({ uri: INDEX_URI })
      return { notes: notes.length, words, mostUsed }
    },
  })
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
