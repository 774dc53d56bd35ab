import type { JsonObject } from '../../protocol/json.ts'

/** What the exam server offers: one tool `echo`, one resource, one prompt, unless a check changes it. */
export type ExamContent = {
  capabilities: JsonObject
  tools: JsonObject[]
  resources: JsonObject[]
  templates: JsonObject[]
  prompts: JsonObject[]
  serverInfo: JsonObject
  instructions: string | undefined
}

/** The content of a fresh exam. Mutable: each check has its own. */
export function usualContent(): ExamContent {
  return {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    tools: [
      {
        name: 'echo',
        description: 'Returns its text.',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      },
    ],
    resources: [{ uri: 'exam://text', name: 'text', mimeType: 'text/plain' }],
    templates: [],
    prompts: [{ name: 'greeting', description: 'Greets.' }],
    serverInfo: { name: 'patchbay-exam', version: '1.0.0' },
    instructions: undefined,
  }
}
