import { text, tool, z } from 'patchbay'
import { conversationUri, factsUri } from '../lib/addresses.ts'
import type { Json } from '../lib/memory-store.ts'
import { storeOf } from '../lib/open-store.ts'

const conversation_id = z.string().min(1).max(500).describe('Which conversation')
const user_id = z.string().min(1).max(500).describe('Which user')
const key = z.string().min(1).max(500).describe('What the fact is about, e.g. preferred_language')

const REPLACES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const DELETES = { ...REPLACES, destructiveHint: true }

export const save_conversation = tool({
  title: 'Save a conversation',
  description: 'Keeps a snapshot of a conversation, in place of the one before.',
  input: z.object({
    conversation_id,
    snapshot: z
      .union([z.string(), z.array(z.json()), z.record(z.string(), z.json())])
      .describe('The conversation, such as { messages, summary }: JSON, or a text that holds JSON'),
  }),
  output: z.object({ saved: z.literal(true), conversation_id: z.string() }),
  annotations: REPLACES,
  async run({ conversation_id: id, snapshot }, ctx) {
    const isFirst = await storeOf(ctx).saveConversation(
      id,
      typeof snapshot === 'string' ? parsed(snapshot) : snapshot,
    )
    if (isFirst) ctx.changed({ kind: 'resources' })
    ctx.changed({ uri: conversationUri(id) })
    return { saved: true as const, conversation_id: id }
  },
})

export const delete_conversation = tool({
  title: 'Forget a conversation',
  description: 'Deletes a conversation for good.',
  input: z.object({ conversation_id }),
  output: z.object({ deleted: z.boolean(), conversation_id: z.string() }),
  annotations: DELETES,
  async run({ conversation_id: id }, ctx) {
    const deleted = await storeOf(ctx).deleteConversation(id)
    if (deleted) {
      ctx.changed({ kind: 'resources' })
      ctx.changed({ uri: conversationUri(id) })
    }
    return { deleted, conversation_id: id }
  },
})

export const save_user_fact = tool({
  title: 'Remember a fact',
  description: 'Keeps a fact about a user, in place of the one with the same key.',
  input: z.object({ user_id, key, value: z.string().describe('The fact') }),
  output: z.object({ saved: z.literal(true), user_id: z.string(), key: z.string() }),
  annotations: REPLACES,
  async run({ user_id: user, key: about, value }, ctx) {
    const store = storeOf(ctx)
    const isFirst = (await store.facts(user)).length === 0
    await store.saveFact(user, { key: about, value })
    if (isFirst) ctx.changed({ kind: 'resources' })
    ctx.changed({ uri: factsUri(user) })
    return { saved: true as const, user_id: user, key: about }
  },
})

export const get_user_facts = tool({
  title: 'Recall facts',
  description: 'Gives all that is remembered of a user: a list of { key, value }.',
  input: z.object({ user_id }),
  output: z.object({ facts: z.array(z.object({ key: z.string(), value: z.string() })) }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ user_id: user }, ctx) {
    const facts = await storeOf(ctx).facts(user)
    return { content: [text(JSON.stringify(facts))], structuredContent: { facts: [...facts] } }
  },
})

export const delete_user_fact = tool({
  title: 'Forget a fact',
  description: 'Deletes a fact about a user for good.',
  input: z.object({ user_id, key }),
  output: z.object({ deleted: z.boolean(), user_id: z.string(), key: z.string() }),
  annotations: DELETES,
  async run({ user_id: user, key: about }, ctx) {
    const store = storeOf(ctx)
    const deleted = await store.deleteFact(user, about)
    if (deleted) {
      if ((await store.facts(user)).length === 0) ctx.changed({ kind: 'resources' })
      ctx.changed({ uri: factsUri(user) })
    }
    return { deleted, user_id: user, key: about }
  },
})

/** The value of a text as JSON; invalid JSON is kept as text. */
function parsed(snapshot: string): Json {
  try {
    return JSON.parse(snapshot) as Json
  } catch {
    return snapshot
  }
}
