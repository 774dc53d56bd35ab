import { useCallback, useEffect, useRef } from 'react'

/** Tells whether this component is still in the page: what ends late must not close what stands there by then. */
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
