import { tool, z } from 'patchbay'
import { allNotes } from '../lib/notebook.ts'

/** Minutes that a note is given. */
const MINUTES = { short: 15, usual: 30, long: 60 }

/** Asks its user for what it needs to know (elicitation), with a form that zod describes and checks. */
export default tool({
  title: 'Plan the day',
  description: 'Asks how much time there is, and fills it with notes of one tag, oldest first.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: z.object({ tag: z.string().min(1).default('todo').describe('Which notes are work.') }),
  output: z.object({ minutes: z.number(), plan: z.array(z.object({ at: z.string(), title: z.string() })) }),
  async run({ tag }, ctx) {
    const todo = (await allNotes(ctx.store)).filter(({ tags }) => tags.includes(tag))
    if (todo.length === 0) throw new Error(`No note has the tag "${tag}"; create_note makes one.`)
    const { hours, pace } = await ctx.elicit(
      `There are ${todo.length} notes with the tag “${tag}”. How does your day look?`,
      z.object({
        hours: z.number().min(0.5).max(12).default(4).describe('Hours that you have.'),
        pace: z.enum(['short', 'usual', 'long']).default('usual').describe('How long you stay with one.'),
      }),
    )
    const each = MINUTES[pace]
    const plan = todo.slice(0, Math.floor((hours * 60) / each)).map(({ title }, index) => {
      const minutes = 9 * 60 + index * each
      const at = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
      return { at, title }
    })
    return { minutes: plan.length * each, plan }
  },
})
