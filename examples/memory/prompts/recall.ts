import { prompt } from 'patchbay'
import { storeOf } from '../lib/open-store.ts'

export default prompt({
  title: 'Remember who this is',
  description: 'Tells a model what is remembered of a user, and to keep what it learns.',
  arguments: [{ name: 'user_id', description: 'Which user.', required: true }],
  complete: {
    user_id: async (typed, ctx) => (await storeOf(ctx).users()).filter((id) => id.startsWith(typed)),
  },
  async get({ user_id: user }, ctx) {
    const facts = await storeOf(ctx).facts(user)
    const known =
      facts.length === 0 ? ['Nothing is known yet.'] : facts.map(({ key, value }) => `- ${key}: ${value}`)
    return [
      [
        `You speak with ${user}. This is what you remember of them:`,
        ...known,
        'When you learn something that will matter later, keep it with save_user_fact.',
      ].join('\n'),
    ]
  },
})
