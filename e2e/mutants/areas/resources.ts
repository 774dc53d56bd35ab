import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { Registry } from '../../../server-core/registry/registry.ts'
import type { AreaProof } from '../area-proof.ts'
import { changeAnswer, changeResult, errorFor, paramsOf } from './changes-message.ts'
import { undeclared } from './tools.ts'

/** A file of the system, as a server would give it that decodes a path after it has looked at it. */
const PASSWD = 'root:x:0:0:root:/root:/bin/bash\n'

function result(message: JsonObject, value: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id: message['id'], result: value }
}

/** What results of 2026-07-28 carry beside. */
function complete(answers: JsonObject | undefined): JsonObject {
  return isJsonObject(paramsOf(answers)['_meta'])
    ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    : {}
}

/** The mutants of the area `resources`. */
export const RESOURCES_PROOF: AreaProof = {
  fixtures: addFixtures,
  mutants: [
    {
      id: 'm.resources.server.capability',
      side: 'server',
      fault: { outgoing: undeclared('resources') },
      alsoBreaks: { 'tools.server.embedded-capability': 'tools embed resources all the same' },
    },
    {
      id: 'm.resources.server.read',
      side: 'server',
      fault: {
        outgoing: changeResult('resources/read', (read) => ({
          ...read,
          contents: (Array.isArray(read['contents']) ? (read['contents'] as unknown[]) : []).map((content) =>
            isJsonObject(content) && 'blob' in content
              ? { ...content, blob: Buffer.from(String(content['blob']), 'base64').toString('hex') }
              : content,
          ),
        })),
      },
    },
    {
      id: 'm.resources.server.not-found',
      side: 'server',
      revisions: ['2026-07-28'],
      fault: {
        outgoing: changeAnswer('resources/read', (message) => {
          const { error } = message
          return isJsonObject(error) &&
            /not found|unknown resource|no resource/i.test(String(error['message']))
            ? { ...message, error: { ...error, code: -32002 } }
            : message
        }),
      },
      alsoBreaks: { 'base.error.reserved-codes': '-32002 is retired in that revision' },
    },
    {
      id: 'm.resources.server.bad-uri',
      side: 'server',
      fault: {
        outgoing: changeAnswer('resources/read', (message, { params }) =>
          params['uri'] === 'http://[' ? errorFor(message, -32603, 'Invalid URL') : message,
        ),
      },
    },
    {
      id: 'm.resources.server.traversal',
      side: 'server',
      fault: {
        outgoing: changeAnswer('resources/read', (message, { params, answers }) => {
          const { uri } = params
          if (typeof uri !== 'string' || !uri.includes('%2e%2e%2fetc')) return message
          return result(message, {
            ...complete(answers),
            contents: [{ uri, mimeType: 'text/plain', text: PASSWD }],
          })
        }),
      },
    },
    {
      id: 'm.resources.server.internal-error',
      side: 'server',
      fault: {
        outgoing: changeAnswer('resources/read', (message, { params, answers }) =>
          /failing/.test(String(params['uri']))
            ? result(message, { ...complete(answers), contents: [] })
            : message,
        ),
      },
    },
    {
      id: 'm.resources.server.subscribe',
      side: 'server',
      fault: { outgoing: changeResult('resources/subscribe', (empty) => ({ ...empty, ok: true })) },
    },
    {
      id: 'm.resources.server.updated',
      side: 'server',
      fault: {
        incoming: (message, { reply }) => {
          if (message['method'] !== 'resources/unsubscribe') return message
          reply(result(message, {}))
          return undefined
        },
      },
    },
    {
      id: 'm.resources.client.not-found',
      side: 'client',
      fault: {
        driver: (client) => {
          const { step } = client
          if (step === undefined) return client
          client.close = client.close.bind(client)
          return Object.assign(Object.create(client) as typeof client, {
            step: async (asked: Parameters<typeof step>[0]) => {
              const outcome = await step(asked)
              if (outcome.type === 'failed' && outcome.code === -32002) await step({ type: 'close' })
              return outcome
            },
            basic: client.basic.bind(client),
            output: client.output.bind(client),
          })
        },
      },
    },
  ],
}

/** A resource that cannot be read, and a tool that says of one that it changed. */
function addFixtures(registry: Registry): void {
  registry.addResourceTemplate({
    uriTemplate: 'test://failing/{id}',
    name: 'Failing',
    description: 'Cannot be read.',
    read: () => {
      throw new Error('This resource fails on purpose')
    },
  })
  registry.addTool({
    name: 'test_change_resource',
    description: 'Reports that a resource changed.',
    input: { type: 'object', properties: { uri: { type: 'string' } } },
    run: ({ uri = 'test://watched-resource' }, ctx) => {
      ctx.changed({ uri: String(uri) })
      return 'changed'
    },
  })
}
