import { setTimeout as pause } from 'node:timers/promises'
import { tool, z } from 'patchbay'
import { allNotes } from '../lib/notebook.ts'

/** A job: a client that knows tasks gets one at once and looks at it later; others wait for the result. */
export default tool({
  title: 'Review notes',
  description: 'Goes through all notes slowly and reports which are empty, untagged or alike.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  taskSupport: 'optional',
  task: { ttlMs: 600_000, pollIntervalMs: 500 },
  timeout: 300_000,
  input: z.object({
    pauseMs: z.number().int().min(0).max(5_000).default(500).describe('Rest after each note.'),
  }),
  output: z.object({
    reviewed: z.number(),
    empty: z.array(z.string()),
    untagged: z.array(z.string()),
    alike: z.array(z.array(z.string())),
  }),
  async run({ pauseMs }, ctx) {
    const notes = await allNotes(ctx.store)
    const titles = new Map<string, string[]>()
    for (const [index, { id, title }] of notes.entries()) {
      await pause(pauseMs, undefined, { signal: ctx.signal })
      const name = title.toLowerCase()
      titles.set(name, [...(titles.get(name) ?? []), id])
      ctx.progress(index + 1, notes.length, `Reviewed “${title}”`)
    }
    return {
      reviewed: notes.length,
      empty: notes.filter(({ text }) => text === '').map(({ id }) => id),
      untagged: notes.filter(({ tags }) => tags.length === 0).map(({ id }) => id),
      alike: [...titles.values()].filter((ids) => ids.length > 1),
    }
  },
})
