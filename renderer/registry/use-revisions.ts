import { partialMatchKey, useQuery } from '@tanstack/react-query'
import type { Script, ScriptRevision } from '../../server-core/host/contract/registry.ts'
import { query } from '../host/api.ts'
import { useGeneration } from './use-registry.ts'

/** The stored revisions of a script, newest first; `undefined` until loaded. Reloaded with each save. */
export function useRevisions(script: Script | undefined): readonly ScriptRevision[] | undefined {
  const options = query.registry.revisions.queryOptions({ input: { file: script?.file ?? '' } })
  const queryKey = [...options.queryKey, useGeneration()]
  return useQuery({
    ...options,
    queryKey: [...queryKey, script?.revision, script?.state, script?.answering],
    enabled: script !== undefined,
    // Those of the save before are shown meanwhile; those of another script, or another workspace, would be restored.
    placeholderData: (before, asked) =>
      asked !== undefined && partialMatchKey(asked.queryKey, queryKey) ? before : undefined,
  }).data
}
