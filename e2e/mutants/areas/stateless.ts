import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { AreaProof } from '../area-proof.ts'
import type { Mutant } from '../mutant.ts'
import { replaceSteps } from '../replace-steps.ts'

const paramsOf = ({ params }: JsonObject): JsonObject => (isJsonObject(params) ? params : {})
const metaOf = (message: JsonObject): JsonObject => {
  const { _meta: meta } = paramsOf(message)
  return isJsonObject(meta) ? meta : {}
}

const ASKING = 'test_input_required_result_elicitation'

const MUTANTS: readonly Mutant[] = [
  {
    id: 'm.stateless.server.no-context',
    side: 'server',
    fault: {
      incoming: (message, { connection }) => {
        if (paramsOf(message)['name'] !== ASKING) return message
        const capabilities = metaOf(message)[MetaKey.clientCapabilities]
        if (isJsonObject(capabilities) && Object.keys(capabilities).length > 0) {
          connection.set('capabilities', capabilities)
          return message
        }
        const known = connection.get('capabilities')
        if (known === undefined) return message
        const meta = { ...metaOf(message), [MetaKey.clientCapabilities]: known }
        return { ...message, params: { ...paramsOf(message), _meta: meta } }
      },
    },
  },
  {
    id: 'm.stateless.server.any-connection',
    side: 'server',
    // Over HTTP nobody can tell connections apart.
    transports: ['stdio', 'websocket'],
    fault: {
      incoming: (message, { connection, reply }) => {
        if (message['method'] === 'tools/list') connection.set('listed', true)
        if (paramsOf(message)['name'] !== 'test_simple_text' || connection.has('listed')) return message
        reply({ jsonrpc: '2.0', id: message['id'], error: { code: -32600, message: 'Not initialised' } })
        return undefined
      },
    },
  },
  {
    id: 'm.stateless.server.interleaved',
    side: 'server',
    fault: {
      incoming: (message, { connection }) => {
        const client = metaOf(message)[MetaKey.clientInfo]
        if (isJsonObject(client)) connection.set('client', client['name'])
        return message
      },
      outgoing: (message, { connection }) => {
        const { result } = message
        const client = String(connection.get('client'))
        if (!/^patchbay-(one|two)$/.test(client) || !isJsonObject(result)) return message
        const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
        return { ...message, result: { ...result, _meta: { ...meta, 'patchbay/client': client } } }
      },
    },
  },
  {
    id: 'm.stateless.server.handles',
    side: 'server',
    fault: {
      incoming: (message, { connection }) => {
        const { arguments: args } = paramsOf(message)
        const handle = connection.get('handle')
        if (!isJsonObject(args) || args['use'] !== true || handle === undefined) return message
        return { ...message, params: { ...paramsOf(message), arguments: { handle } } }
      },
      outgoing: (message, { connection }) => {
        const { result } = message
        const content = isJsonObject(result) ? result['structuredContent'] : undefined
        if (isJsonObject(content) && content['handle'] !== undefined)
          connection.set('handle', content['handle'])
        return message
      },
    },
  },
  {
    id: 'm.stateless.client.process',
    side: 'client',
    fault: {
      driver: (client) =>
        replaceSteps(client, async (asked, step) => {
          if (asked.type !== 'new-conversation') return step(asked)
          await step({ type: 'close' })
          return step({ type: 'connect' })
        }),
    },
  },
]

/** The mutants of the area `stateless`. */
export const STATELESS_PROOF: AreaProof = {
  mutants: MUTANTS,
  fixtures: (registry) => {
    /** Whose each is. */
    const kept = new Map<string, string>()
    registry.addTool({
      name: 'test_cross_request_state',
      description: 'Keeps something and gives a handle to it, or uses what a handle names.',
      input: {
        type: 'object',
        properties: { handle: { type: 'string' }, use: { type: 'boolean' } },
      },
      output: {
        type: 'object',
        properties: { handle: { type: 'string' } },
        required: ['handle'],
      },
      run: ({ handle, use = false }, ctx) => {
        const user = ctx.principal?.subject ?? ''
        if (handle !== undefined || use === true) {
          const name = String(handle)
          if (kept.get(name) !== user) throw new Error('The handle is missing or unknown')
          return { handle: name }
        }
        const made = randomUUID()
        kept.set(made, user)
        return { handle: made }
      },
    })
  },
}
