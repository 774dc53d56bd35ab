import { useCallback, useEffect, useRef } from 'react'

/** Returns whether this component is still in the page: a late end must not close what replaced it. */
export function useStillShown(): () => boolean {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(() => isShown.current, [])
}
