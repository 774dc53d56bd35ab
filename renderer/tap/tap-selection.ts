import type { TapState } from '../../server-core/host/contract/taps.ts'
import { live } from '../host/live.ts'
import { Observable, useObservable } from '../state/observable.ts'

/** The tap that the page shows, by id. It outlives the page. */
export const selectedTap = new Observable<string | undefined>(undefined)

/** All taps, those that hold messages first. */
export function useTaps(): readonly TapState[] {
  return useObservable(live.parts.taps)?.taps ?? []
}

/** The tap that is shown: the selected one, or else one that holds a message, that runs, or any. */
export function useShownTap(): TapState | undefined {
  const taps = useTaps()
  const id = useObservable(selectedTap)
  return (
    taps.find((tap) => tap.id === id) ??
    taps.find(({ held }) => held.length > 0) ??
    taps.findLast(({ isRunning }) => isRunning) ??
    taps.at(-1)
  )
}

/** The names of both sides. */
export function sidesOf({ client, name }: Pick<TapState, 'client' | 'name'>): string {
  return client === undefined ? name : `${client} to ${name}`
}
