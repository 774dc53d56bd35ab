import { useEffect, useRef, useState, type PointerEventHandler } from 'react'
import type { EntryLine } from './entry-line.ts'
import { stableLines } from './entry-rows.ts'

/** Milliseconds for which no line moves after the pointer moved over the list. */
const HOLD_MS = 1_500

interface StableLines {
  readonly lines: readonly EntryLine[]
  /** Event handlers for the list. */
  readonly onPointerMove: PointerEventHandler
  readonly onPointerLeave: PointerEventHandler
}

/** The lines in an order that does not change under a moving pointer. */
export function useStableLines(now: readonly EntryLine[]): StableLines {
  const [held, setHeld] = useState<readonly EntryLine[] | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const release = (): void => {
    clearTimeout(timer.current)
    setHeld(undefined)
  }
  return {
    lines: held === undefined ? now : stableLines(held, now),
    onPointerMove: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(release, HOLD_MS)
      setHeld((before) => before ?? now)
    },
    onPointerLeave: release,
  }
}
