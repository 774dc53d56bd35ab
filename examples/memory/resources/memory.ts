import { template } from 'patchbay'
import { conversationUri, factsUri } from '../lib/addresses.ts'
import { storeOf } from '../lib/open-store.ts'

const JSON_TYPE = 'application/json'

export const conversation = template({
  uriTemplate: 'memory://conversations/{conversation_id}',
  title: 'A conversation',
  description: 'The snapshot of a conversation that was saved last.',
  mimeType: JSON_TYPE,
  complete: {
    conversation_id: async (typed, ctx) =>
      (await storeOf(ctx).conversations()).map(({ id }) => id).filter((id) => id.startsWith(typed)),
  },
  list: async (ctx) =>
    (await storeOf(ctx).conversations()).map(({ id, savedAt, bytes }) => ({
      uri: conversationUri(id),
      name: id,
      mimeType: JSON_TYPE,
      size: bytes,
      annotations: { lastModified: savedAt },
    })),
  async read({ conversation_id: id }, ctx) {
    const snapshot = await storeOf(ctx).loadConversation(id)
    return snapshot === undefined ? undefined : JSON.stringify(snapshot)
  },
})

export const user = template({
  uriTemplate: 'memory://users/{user_id}',
  title: 'A user',
  description: 'All that is remembered of a user: a list of { key, value }.',
  mimeType: JSON_TYPE,
  complete: {
    user_id: async (typed, ctx) => (await storeOf(ctx).users()).filter((id) => id.startsWith(typed)),
  },
  list: async (ctx) =>
    (await storeOf(ctx).users()).map((id) => ({ uri: factsUri(id), name: id, mimeType: JSON_TYPE })),
  async read({ user_id: id }, ctx) {
    const facts = await storeOf(ctx).facts(id)
    return facts.length === 0 ? undefined : JSON.stringify(facts)
  },
})
