import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { exampleArguments } from './example-arguments.ts'

/** Every capability of a client that a revision knows, tasks aside. */
export function tourCapabilities(revision: Revision): JsonObject {
  const isNewer = revision >= '2025-11-25'
  return {
    roots: revision < '2026-07-28' ? { listChanged: true } : {},
    sampling: isNewer ? { tools: {} } : {},
    ...(revision >= '2025-06-18' && { elicitation: isNewer ? { form: {}, url: {} } : {} }),
  }
}

/** An ordinary answer to a question of a server; undefined for a method that no client knows. */
export function answerQuestion(method: string, params: unknown): JsonObject | undefined {
  switch (method) {
    case 'ping':
      return {}
    case 'roots/list':
      return { roots: [{ uri: 'file:///home/user/project', name: 'project' }] }
    case 'sampling/createMessage':
      return {
        role: 'assistant',
        content: { type: 'text', text: 'An answer.' },
        model: 'none',
        stopReason: 'endTurn',
      }
    case 'elicitation/create':
      return {
        action: 'accept',
        ...(isJsonObject(params) &&
          params['mode'] !== 'url' && { content: exampleArguments(params['requestedSchema']) }),
      }
    default:
      return undefined
  }
}
