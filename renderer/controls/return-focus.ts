import { useEffect, useState } from 'react'

/**
 * Restores the focus to the element that had it before this component, if unmounting lost it: what is taken
 * out of the page while it is open cannot do that itself.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        if (before instanceof HTMLElement && before.isConnected) before.focus()
      })
    },
    [before],
  )
}
