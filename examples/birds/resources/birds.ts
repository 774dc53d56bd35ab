import { resource, template } from 'patchbay'
import { Expert } from '../lib/expert.ts'
import { KNOWLEDGE, listed, type Bird } from '../lib/knowledge.ts'
import { uriOf } from '../lib/report.ts'

const expert = new Expert(KNOWLEDGE)

export const all_birds = resource({
  uri: 'birds://birds',
  title: 'All birds',
  description: 'The birds that can be identified, with links.',
  mimeType: 'text/markdown',
  read: () =>
    `# Birds\n\n${KNOWLEDGE.birds.map((bird) => `- [${bird.name}](${uriOf(bird)}), *${bird.latin}*`).join('\n')}\n`,
})

export const rules = resource({
  uri: 'birds://rules',
  title: 'Rules',
  description: 'What leads to which order, family and bird, as JSON.',
  mimeType: 'application/json',
  read: () => JSON.stringify(KNOWLEDGE, null, 2),
})

export const bird = template({
  uriTemplate: 'birds://bird/{id}',
  title: 'A bird',
  description: 'One bird: what is special about it, and by what it is known.',
  mimeType: 'text/markdown',
  complete: {
    id: (typed) =>
      KNOWLEDGE.birds
        .filter(({ id, name }) => id.startsWith(typed) || name.toLowerCase().includes(typed.toLowerCase()))
        .map(({ id }) => id),
  },
  list: () =>
    KNOWLEDGE.birds.map((one) => ({
      uri: uriOf(one),
      name: one.id,
      title: one.name,
      description: one.about,
      mimeType: 'text/markdown',
    })),
  read: ({ id }) => {
    const found = KNOWLEDGE.birds.find((one) => one.id === id)
    return found === undefined ? undefined : pageOf(found)
  },
})

function pageOf(found: Bird): string {
  const ways = expert.proofsOf(found.id).map(({ needs }) => `- ${listed(needs)}`)
  return [`# ${found.name}`, '', `*${found.latin}*. ${found.about}`, '', '## Known by', '', ...ways, ''].join(
    '\n',
  )
}
