import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { Registry } from '../../../server-core/registry/registry.ts'
import type { AreaProof } from '../area-proof.ts'
import { changeAnswer, changeResult, changeSent, errorFor } from './changes-message.ts'

/** The mutants of the area `lists`. */
export const LISTS_PROOF: AreaProof = {
  fixtures: addChangingTool,
  mutants: [
    {
      id: 'm.lists.server.answered',
      side: 'server',
      fault: {
        outgoing: changeAnswer('prompts/list', (message) =>
          errorFor(message, -32603, 'There are no prompts'),
        ),
      },
    },
    {
      id: 'm.lists.server.connection-independent',
      side: 'server',
      // Requests of 2026-07-28 over HTTP belong to no connection.
      transports: ['stdio', 'websocket'],
      fault: {
        incoming: (message, { connection }) => {
          if (message['method'] === 'tools/call') connection.set('called', true)
          return message
        },
        outgoing: changeResult('tools/list', (result, { connection, params }) =>
          connection.has('called') && params['cursor'] === undefined && Array.isArray(result['tools'])
            ? {
                ...result,
                tools: [...(result['tools'] as unknown[]), { name: 'more', inputSchema: { type: 'object' } }],
              }
            : result,
        ),
      },
    },
    {
      id: 'm.lists.server.order',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/list', (result, { peer }) => {
          const count = Number(peer.get('lists') ?? 0)
          peer.set('lists', count + 1)
          const tools: unknown[] = Array.isArray(result['tools']) ? result['tools'] : []
          const from = (count * 7) % Math.max(1, tools.length)
          return { ...result, tools: [...tools.slice(from), ...tools.slice(0, from)] }
        }),
      },
    },
    {
      id: 'm.lists.server.changed',
      side: 'server',
      fault: {
        outgoing: changeSent('notifications/prompts/list_changed', (message) => ({
          ...message,
          method: 'notifications/tools/list_changed',
        })),
      },
    },
  ],
}

/** How many entries the tool leaves in a list. */
const KEPT = 4

/** A tool that adds an entry to a list, and removes the oldest of its entries. */
function addChangingTool(registry: Registry): void {
  const added = new Map<unknown, { remove: () => void }[]>()
  let count = 0
  const add = (kind: unknown) => {
    count += 1
    const name = `test_added_${count}`
    if (kind === 'prompts') return registry.addPrompt({ name, get: () => 'Added.' })
    if (kind === 'resources')
      return registry.addResource({ uri: `test://added/${count}`, name, read: 'Added.' })
    return registry.addTool({ name, run: () => 'added' })
  }
  registry.addTool({
    name: 'test_change_lists',
    description: 'Adds an entry to a list, and removes an older one.',
    input: {
      type: 'object',
      properties: { kind: { type: 'string', enum: ['tools', 'prompts', 'resources'] } },
    },
    run: (args) => {
      const kind = isJsonObject(args) ? (args['kind'] ?? 'tools') : 'tools'
      const entries = added.get(kind) ?? []
      added.set(kind, entries)
      entries.push(add(kind))
      if (entries.length > KEPT) entries.shift()?.remove()
      return 'changed'
    },
  })
}
