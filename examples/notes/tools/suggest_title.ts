import { tool, z } from 'patchbay'
import { findNote } from '../lib/notebook.ts'

/** Asks the client's model (sampling). Where there is none, the error says which capability is missing. */
export default tool({
  title: 'Suggest a title',
  description: "Has the client's model suggest a title for a note, and say why.",
  annotations: { readOnlyHint: true, openWorldHint: true },
  input: z.object({ id: z.string().min(1).describe('The id of the note.') }),
  output: z.object({ title: z.string(), why: z.string() }),
  async run({ id }, ctx) {
    const note = await findNote(ctx.store, id)
    if (note === undefined)
      throw new Error(`There is no note ${id}; list_notes gives the ids of those there are.`)
    const { value } = await ctx.sample(
      `Suggest a better title for this note:\n\n# ${note.title}\n\n${note.text}`,
      {
        systemPrompt: 'You name notes in five words or fewer.',
        maxTokens: 200,
        result: z.object({ title: z.string().min(1).max(200), why: z.string() }),
      },
    )
    return value
  },
})
