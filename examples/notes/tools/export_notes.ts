import { setTimeout as pause } from 'node:timers/promises'
import { tool, z } from 'patchbay'
import { noteDocument } from '../lib/note.ts'
import { allNotes } from '../lib/notebook.ts'

/** Streams: each text goes out as progress when it is there, and the result is all of them. */
export default tool({
  title: 'Export notes',
  description: 'Gives all notes as one Markdown document, a note at a time.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: z.object({
    pauseMs: z.number().int().min(0).max(1_000).default(0).describe('Rest between two notes.'),
  }),
  async *run({ pauseMs }, ctx) {
    const notes = await allNotes(ctx.store)
    if (notes.length === 0) yield 'There are no notes yet.\n'
    for (const note of notes) {
      if (pauseMs > 0) await pause(pauseMs, undefined, { signal: ctx.signal })
      yield `${noteDocument(note)}\n`
    }
  },
})
