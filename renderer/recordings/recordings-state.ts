import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import { Observable, useObservable } from '../state/observable.ts'
import type { CommandLine } from './recording-commands.ts'
import { orderedRecordings, type ListedRecording, type Order } from './list-order.ts'

/** Open recordings grow while the list is shown. */
const REFRESH_MS = 5_000

/** The recording that the page shows, by id. These outlive the page. */
export const shownRecording = new Observable<string | undefined>(undefined)
export const typedSearch = new Observable('')
export const chosenOrder = new Observable<Order>('newest')

/** All recordings, with what is known of them so far. */
export function useRecordings(): {
  readonly all: readonly ListedRecording[]
  readonly isLoaded: boolean
  readonly problem: string | undefined
} {
  const list = useQuery({
    ...query.recordings.list.queryOptions(),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  const facts = useQuery({
    ...query.recordings.facts.queryOptions(),
    refetchInterval: 2 * REFRESH_MS,
    staleTime: 0,
  })
  const { data = [] } = list
  const known = facts.data
  const all = useMemo(() => {
    const byId = new Map(known?.map((each) => [each.id, each]))
    return data.map((each) => ({ ...each, facts: byId.get(each.id) }))
  }, [data, known])
  return { all, isLoaded: list.data !== undefined, problem: list.error?.message }
}

/** The recordings that match the search, in the chosen order. */
export function useListed(all: readonly ListedRecording[]): readonly ListedRecording[] {
  const text = useObservable(typedSearch)
  const order = useObservable(chosenOrder)
  return useMemo(() => orderedRecordings(all, text, order), [all, text, order])
}

/** Reads list, facts and opened recordings again. */
export async function readRecordingsAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: query.recordings.key() })
}

/** How commands are written for this app; undefined until that is known. */
export function useCommandLine(): CommandLine | undefined {
  const { data } = useQuery(query.app.info.queryOptions())
  if (data === undefined) return undefined
  return { command: data.command, profile: data.isUsualProfile ? undefined : data.profile }
}
