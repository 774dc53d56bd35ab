import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ScriptLogLine } from '../../server-core/host/contract/registry.ts'
import { query } from '../host/api.ts'
import { live } from '../host/live.ts'
import { useObservable, useSelected } from '../state/observable.ts'
import { mergedLog } from './log-text.ts'

const NONE: readonly ScriptLogLine[] = []

/** The newest log lines of a script, or of all: stored lines and those received since. */
export function useLog(file: string | undefined): readonly ScriptLogLine[] {
  const folder = useSelected(live.parts.registry, (state) => state?.workspace.folder)
  const options = query.registry.log.queryOptions({ input: file === undefined ? {} : { file } })
  // Each workspace has its own log.
  const kept = useQuery({
    ...options,
    queryKey: [...options.queryKey, folder],
    staleTime: 0,
    gcTime: 0,
  }).data
  const news = useObservable(live.scriptLog)
  return useMemo(() => mergedLog(kept ?? NONE, news, file), [kept, news, file])
}
