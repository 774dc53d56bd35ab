import { isJsonObject } from '../protocol/json.ts'
import type { WorkspaceDocument } from '../workspace/server-entries.ts'

/** Whether a `patchbay.json` lets its workspace be served: its `serve.enabled` is not false. */
export function isServed(document: WorkspaceDocument): boolean {
  return servedMember(document) !== false
}

/** What the member says; undefined if it is not there. */
export function servedMember({ serve }: WorkspaceDocument): unknown {
  return isJsonObject(serve) ? serve['enabled'] : undefined
}

/** The same document with the switch set; switched on, it says nothing of it. */
export function withServed(document: WorkspaceDocument, isOn: boolean): WorkspaceDocument {
  const { serve, ...rest } = document
  const { enabled: _, ...others } = isJsonObject(serve) ? serve : {}
  if (!isOn) return { ...rest, serve: { ...others, enabled: false } }
  return Object.keys(others).length === 0 ? rest : { ...rest, serve: others }
}
