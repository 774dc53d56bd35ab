import { useRef, type MouseEvent } from 'react'

interface MeantPress {
  readonly onPointerDown: () => void
  readonly onClick: (event: MouseEvent) => void
}

/**
 * For a button that does something else as soon as something ends: a click that began on the other deed, and the second
 * one of a double-click, are not meant for this one. It stays one button, so that it keeps the focus.
 */
export function useMeantPress(deed: string, act: () => void): MeantPress {
  const begunOn = useRef<string | undefined>(undefined)
  return {
    onPointerDown: () => {
      begunOn.current = deed
    },
    onClick: ({ detail }) => {
      // A key gives 0.
      if (detail === 0 || (detail === 1 && begunOn.current === deed)) act()
    },
  }
}
