import { useMemo } from 'react'
import type { TimeWindow } from './time-window.ts'

/** The same object for as long as the window is the same, so that rows need not render again. */
export function useSameWindow({ start, span, step }: TimeWindow): TimeWindow {
  return useMemo(() => ({ start, span, step }), [start, span, step])
}
