import { prompt } from 'patchbay'
import { CATEGORIES } from '../lib/decision.ts'
import { journalOf } from '../lib/journal.ts'
import { asMarkdown, sessionContext } from '../lib/session-context.ts'
import * as inputs from '../lib/inputs.ts'

export default prompt({
  title: 'Decide something',
  description: 'Asks a model to decide a question with what was learnt from decisions before it.',
  arguments: [
    { name: 'question', description: 'What is to be decided.', required: true },
    { name: 'category', description: `One of ${CATEGORIES.join(', ')}.` },
  ],
  complete: { category: CATEGORIES },
  async get({ question, category }, ctx) {
    const asked = inputs.sessionContext.parse({
      task_description: question,
      include: ['decisions', 'guardrails', 'patterns'],
    })
    const known = asMarkdown(await sessionContext(journalOf(ctx), asked))
    const as = category === undefined ? '' : ` It is a question of ${category}.`
    return [
      { content: known },
      {
        content:
          `Decide this: ${question}${as} Weigh two options at least, say how sure you are (0 to 1) and what would ` +
          'prove you wrong. Then call pre_action with your choice, and keep to what its guardrails say.',
      },
    ]
  },
})
