import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { Registry } from '../../../server-core/registry/registry.ts'

/** Tools that send members which the others leave out. */
export function addWholeTypes(registry: Registry): void {
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
