import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ScriptLogLine } from '../../server-core/host/contract/registry.ts'
import { query } from '../host/api.ts'
import { live } from '../host/live.ts'
import { useObservable } from '../state/observable.ts'
import { mergedLog } from './log-text.ts'
import { useGeneration } from './use-registry.ts'

const NONE: readonly ScriptLogLine[] = []

/** The newest log lines of a script, or of all: stored lines and those received since. */
export function useLog(file: string | undefined): readonly ScriptLogLine[] {
  const generation = useGeneration()
  const options = query.registry.log.queryOptions({ input: file === undefined ? {} : { file } })
  // Each workspace that is opened has its own log.
  const kept = useQuery({
    ...options,
    queryKey: [...options.queryKey, generation],
    staleTime: 0,
    gcTime: 0,
  }).data
  const news = useObservable(live.scriptLog)
  const stored = kept?.generation === generation ? kept?.lines : undefined
  return useMemo(() => mergedLog(stored ?? NONE, news, file), [stored, news, file])
}
