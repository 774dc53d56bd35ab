import { ElicitationRefusedError, InputUnavailableError, tool, z, type Context } from 'patchbay'
import { facts as factsArgument, given } from '../lib/arguments.ts'
import { Expert, type Question } from '../lib/expert.ts'
import { KNOWLEDGE } from '../lib/knowledge.ts'
import { asResult, FURTHER, identification, identified } from '../lib/report.ts'

const expert = new Expert(KNOWLEDGE)

export default tool({
  title: 'Identify a bird',
  description:
    'Finds out which bird it is. Asks the user what it still needs to know, one thing at a time. Where nobody can be ' +
    'asked it says what it needs: find that out, add it to the facts and call it again.',
  input: z.object({
    facts: factsArgument.prefault({}),
    ask: z.boolean().default(true).describe('false: say what is needed and ask nobody'),
  }),
  output: identification,
  annotations: { readOnlyHint: true, openWorldHint: false },
  // It depends on nothing but its arguments and answers.
  reentrant: true,
  async run({ facts, ask }, ctx) {
    const known = given(facts)
    for (;;) {
      const judged = expert.judge(known)
      const answer = judged.next === undefined || !ask ? undefined : await answerTo(judged.next, ctx)
      if (judged.next === undefined || answer === undefined) return asResult(identified(judged, known))
      known[judged.next.attribute] = answer
    }
  },
})

/** What the user says; undefined where there is nobody to ask, or who is asked would rather not. */
async function answerTo(
  { attribute, question, why, values }: Question,
  ctx: Context,
): Promise<string | undefined> {
  const choices = [...Object.entries(values).map(([value, meaning]) => ({ value, meaning })), ...FURTHER]
  const schema = {
    type: 'object',
    properties: {
      answer: {
        type: 'string',
        title: question,
        description: why,
        oneOf: choices.map(({ value, meaning }) => ({ const: value, title: meaning })),
      },
    },
    required: ['answer'],
  }
  try {
    const { answer } = await ctx.elicit(question, schema, { key: attribute })
    return String(answer)
  } catch (error) {
    if (error instanceof InputUnavailableError || error instanceof ElicitationRefusedError) return undefined
    throw error
  }
}
