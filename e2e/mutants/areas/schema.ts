import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { schemaTypeMutants } from './schema-types.ts'

/** The mutants of the area `schema`. */
export const SCHEMA_PROOF: AreaProof = {
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
