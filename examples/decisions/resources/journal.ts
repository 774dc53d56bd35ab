import { resource, template } from 'patchbay'
import { stringify } from 'patchbay/yaml'
import { titleOf } from '../lib/decision.ts'
import { journalOf } from '../lib/journal.ts'

export const guardrails = resource({
  uri: 'decisions://guardrails',
  title: 'Guardrails',
  description: 'The rules that actions are checked against, as YAML.',
  mimeType: 'application/yaml',
  read: async (ctx) => stringify({ guardrails: await journalOf(ctx).guardrails() }),
})

export const decision = template({
  uriTemplate: 'decisions://log/{id}',
  title: 'A decision',
  description: 'One decision as its file holds it.',
  mimeType: 'application/yaml',
  complete: {
    id: async (typed, ctx) =>
      (await journalOf(ctx).decisions())
        .filter((one) => one.id.startsWith(typed) || titleOf(one).toLowerCase().includes(typed.toLowerCase()))
        .map(({ id }) => id)
        .reverse(),
  },
  list: async (ctx) =>
    (await journalOf(ctx).decisions()).map((one) => ({
      uri: `decisions://log/${one.id}`,
      name: one.id,
      title: titleOf(one),
      mimeType: 'application/yaml',
      annotations: { lastModified: one.reviewed_at ?? one.date },
    })),
  async read({ id }, ctx) {
    const found = (await journalOf(ctx).decisions()).find((one) => one.id === id)
    return found === undefined ? undefined : stringify(found)
  },
})
