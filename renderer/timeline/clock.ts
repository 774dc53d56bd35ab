import { Emitter } from '../../server-core/protocol/emitter.ts'
import { useSyncExternalStore } from 'react'

/**
 * The present time in steps, for those who listen. Its reading changes by its timer alone, never by being read or
 * listened to: a reading that changed while a component subscribes would make it render without end.
 */
export class Clock {
  readonly #intervalMs: number
  readonly #ticks = new Emitter()
  #timer: ReturnType<typeof setInterval> | undefined
  #time = Date.now()

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  readonly read = (): number => this.#time

  readonly subscribe = (listener: () => void): (() => void) => {
    const leave = this.#ticks.listen(listener)
    this.#timer ??= setInterval(this.#tick, this.#intervalMs)
    return () => {
      leave()
      if (this.#ticks.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  readonly #tick = (): void => {
    this.#time = Date.now()
    this.#ticks.emit()
  }
}

const clocks = new Map<number, Clock>()

/** The present time in milliseconds, as it was about `intervalMs` ago at most; renders again when it goes on. */
export function useClock(intervalMs: number): number {
  const clock = clocks.get(intervalMs) ?? new Clock(intervalMs)
  clocks.set(intervalMs, clock)
  return useSyncExternalStore(clock.subscribe, clock.read)
}
