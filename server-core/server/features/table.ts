import { complete } from './completion.ts'
import type { Feature } from './feature.ts'
import { listPrompts, listResources, listResourceTemplates, listTools } from './listings.ts'
import { getPrompt } from './prompts.ts'
import { readResource } from './resources.ts'
import { callTool } from './tools.ts'

/** The requests that both eras know, and what serves them. */
export const FEATURES: ReadonlyMap<string, Feature> = new Map([
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResources],
  ['resources/templates/list', listResourceTemplates],
  ['resources/read', readResource],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
])

/** Results that a client may keep for a while, where the revision says so. */
export const CACHEABLE: ReadonlySet<string> = new Set(['resources/list', 'resources/read'])
