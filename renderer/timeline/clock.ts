import { useSyncExternalStore } from 'react'

const listeners = new Map<number, Set<() => void>>()
const times = new Map<number, number>()
const timers = new Map<number, ReturnType<typeof setInterval>>()

/** The present time in milliseconds, as it was at most `intervalMs` ago; renders again when it goes on. */
export function useClock(intervalMs: number): number {
  return useSyncExternalStore(
    (listener) => watch(intervalMs, listener),
    () => times.get(intervalMs) ?? begin(intervalMs),
  )
}

function begin(intervalMs: number): number {
  const now = Date.now()
  times.set(intervalMs, now)
  return now
}

function watch(intervalMs: number, listener: () => void): () => void {
  const watching = listeners.get(intervalMs) ?? new Set()
  listeners.set(intervalMs, watching)
  watching.add(listener)
  if (!timers.has(intervalMs)) {
    times.set(intervalMs, Date.now())
    timers.set(
      intervalMs,
      setInterval(() => {
        times.set(intervalMs, Date.now())
        for (const each of watching) each()
      }, intervalMs),
    )
  }
  return () => {
    watching.delete(listener)
    if (watching.size > 0) return
    clearInterval(timers.get(intervalMs))
    timers.delete(intervalMs)
    times.delete(intervalMs)
  }
}
