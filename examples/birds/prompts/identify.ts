import { prompt } from 'patchbay'
import { KNOWLEDGE } from '../lib/knowledge.ts'

export default prompt({
  title: 'Which bird was it?',
  description: 'Asks a model to find out which bird a description is of, with identify_bird.',
  arguments: [
    { name: 'description', description: 'What was seen and heard, in free words.', required: true },
  ],
  get({ description }) {
    const attributes = Object.entries(KNOWLEDGE.attributes).map(
      ([attribute, { question, values }]) => `- ${attribute} (${question}) ${Object.keys(values).join(', ')}`,
    )
    return [
      [
        `I saw a bird: ${description}`,
        '',
        'Which one was it? Take from what I said only the facts that are in it, in these words:',
        ...attributes,
        '',
        'Then call identify_bird with them. If it needs to know more, ask me and call it again; do not guess.',
      ].join('\n'),
    ]
  },
})
