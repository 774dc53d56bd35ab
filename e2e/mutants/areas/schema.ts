import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { Registry } from '../../../server-core/registry/registry.ts'
import type { AreaProof } from '../area-proof.ts'
import { schemaTypeMutants } from './schema-types.ts'

/** Tools that send members which the others leave out. */
function addTypes(registry: Registry): void {
  registry.addTool({
    name: 'test_resource_link',
    description: 'Returns a link.',
    annotations: { readOnlyHint: true },
    run: () => ({
      content: [
        {
          type: 'resource_link',
          uri: 'test://static-text',
          name: 'static-text',
          annotations: { audience: ['user'], priority: 0.5 },
        },
      ],
    }),
  })
  registry.addTool({
    name: 'test_sampling_preferences',
    description: 'Asks the model, with every preference.',
    run: async (_args, ctx) => {
      const { sampling } = ctx.clientCapabilities
      const mayUse = isJsonObject(sampling) && sampling['tools'] !== undefined
      const { text } = await ctx.sample('Hello', {
        maxTokens: 10,
        includeContext: 'none',
        modelPreferences: { costPriority: 0.1, speedPriority: 0.2, intelligencePriority: 0.3 },
        ...(mayUse && { toolChoice: { mode: 'auto' } }),
      })
      return text
    },
  })
}

/** The mutants of the area `schema`. */
export const SCHEMA_PROOF: AreaProof = {
  fixtures: addTypes,
  mutants: [
    ...schemaTypeMutants(),
    {
      id: 'm.schema.wrong-era-fields/server',
      side: 'server',
      revisions: ['2024-11-05'],
      fault: {
        outgoing: (message, { answers }) => {
          const { result } = message
          return answers?.['method'] === 'tools/call' && isJsonObject(result)
            ? {
                ...message,
                result: { ...result, content: [{ type: 'audio', data: '', mimeType: 'audio/wav' }] },
              }
            : message
        },
      },
    },
    {
      id: 'm.schema.wrong-era-fields/client',
      side: 'client',
      revisions: ['2024-11-05'],
      fault: {
        outgoing: (message) =>
          message['method'] === 'ping' ? { ...message, method: 'tasks/list' } : message,
      },
    },
    {
      id: 'm.schema.values',
      side: 'server',
      fault: {
        outgoing: (message) => {
          const { result } = message
          if (!isJsonObject(result) || !Array.isArray(result['resources'])) return message
          const [first, ...rest] = result['resources'] as unknown[]
          const changed = isJsonObject(first) ? { ...first, annotations: { priority: 5 } } : first
          return { ...message, result: { ...result, resources: [changed, ...rest] } }
        },
      },
    },
  ],
}
