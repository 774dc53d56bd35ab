import type { RevisionRow } from '../../protocol/revisions.ts'
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

const byRevision = new WeakMap<RevisionRow, ReadonlyMap<string, Feature>>()

/** What serves a method in that revision; undefined where the revision does not know it. */
export function featureOf(row: RevisionRow, method: string): Feature | undefined {
  let known = byRevision.get(row)
  if (known === undefined) {
    known = new Map([...FEATURES].filter(([each]) => Object.hasOwn(row.requests, each)))
    byRevision.set(row, known)
  }
  return known.get(method)
}
