import { useEffect, useState } from 'react'

/**
 * Gives the focus back to what had it before this component was there, if its end left it nowhere: what is taken
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
