import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { Registry } from '../../../server-core/registry/registry.ts'
import type { AreaProof } from '../area-proof.ts'
import type { Fault } from '../mutant.ts'
import { replaceSteps } from '../replace-steps.ts'
import { changeResult, paramsOf } from './changes-message.ts'

const never = () => new Promise<never>(() => undefined)

/** Changes the tools of a list. */
const changeTools = (change: (tool: JsonObject) => JsonObject) =>
  changeResult('tools/list', (result) => {
    const tools = Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : []
    return { ...result, tools: tools.map((tool) => (isJsonObject(tool) ? change(tool) : tool)) }
  })

/** Calls of a tool come with these arguments, as if they had not been looked at. */
const callsWith = (tool: string, args: JsonObject): Fault => ({
  incoming: (message) => {
    const params = paramsOf(message)
    return params['name'] === tool ? { ...message, params: { ...params, arguments: args } } : message
  },
})

/** A schema without the keywords that draft-07 does not know. */
function stripped(schema: unknown): unknown {
  if (Array.isArray(schema)) return (schema as unknown[]).map(stripped)
  if (!isJsonObject(schema)) return schema
  const kept = Object.entries(schema).filter(([name]) => !['prefixItems', '$anchor'].includes(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, stripped(value)]))
}

/** Addresses of schemas elsewhere. */
function* referencesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const each of value as unknown[]) yield* referencesIn(each)
  else if (isJsonObject(value))
    for (const [name, each] of Object.entries(value)) {
      if (name === '$ref' && typeof each === 'string' && each.startsWith('http')) yield each
      else yield* referencesIn(each)
    }
}

/** The mutants of the area `json-schema`. */
export const JSON_SCHEMA_PROOF: AreaProof = {
  fixtures: addFixtures,
  mutants: [
    {
      id: 'm.json-schema.published',
      side: 'server',
      fault: {
        outgoing: changeTools((tool) =>
          tool['name'] === 'test_echo' ? { ...tool, inputSchema: null } : tool,
        ),
      },
    },
    {
      id: 'm.json-schema.draft-2020.server',
      side: 'server',
      fault: callsWith('test_prefix_items', { pair: ['a', 1] }),
    },
    {
      id: 'm.json-schema.draft-2020.client',
      side: 'client',
      fault: {
        incoming: changeTools((tool) => ({
          ...tool,
          inputSchema: stripped(tool['inputSchema']),
          ...('outputSchema' in tool && { outputSchema: stripped(tool['outputSchema']) }),
        })),
      },
    },
    {
      id: 'm.json-schema.unknown-dialect/server',
      side: 'server',
      transports: ['stdio', 'websocket'],
      fault: {
        outgoing: changeResult('tools/list', (result) => {
          const tools = Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : []
          const inputSchema = { $schema: 'urn:none', type: 'object' }
          return { ...result, tools: [...tools, { name: 'test_unknown_dialect', inputSchema }] }
        }),
        incoming: (message) => {
          const params = paramsOf(message)
          return params['name'] === 'test_unknown_dialect'
            ? { ...message, params: { ...params, name: 'test_simple_text' } }
            : message
        },
      },
    },
    {
      id: 'm.json-schema.unknown-dialect/client',
      side: 'client',
      fault: {
        incoming: changeTools(({ outputSchema: _, ...tool }) => tool),
      },
    },
    {
      id: 'm.json-schema.ref-canary/client',
      side: 'client',
      fault: {
        incoming: (message) => {
          for (const address of referencesIn(message['result'])) void fetch(address).catch(() => undefined)
          return message
        },
      },
    },
    {
      id: 'm.json-schema.bomb/client',
      side: 'client',
      fault: {
        driver: (client) =>
          replaceSteps(client, (asked, step) =>
            asked.type === 'call' && asked.tool === 'branches' ? never() : step(asked),
          ),
      },
    },
  ],
}

function addFixtures(registry: Registry): void {
  registry.addTool({
    name: 'test_prefix_items',
    description: 'Takes a pair, and an address with a card.',
    input: {
      type: 'object',
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
        card: { type: 'string' },
        address: { type: 'string' },
      },
      dependentRequired: { card: ['address'] },
    },
    run: () => 'taken',
  })
}
