import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 1199px)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether the window is under 1200 px wide. */
export function isNarrow(): boolean {
  return narrow.matches
}

/** The same, and renders again when it changes. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow)
}
