import { useEffect, type RefObject } from 'react'

/** So near to its top a list that is scrolled up wants what is above it. */
const NEAR_PX = 120

/** Calls `onTop` when a list is scrolled to its top, also by a wheel that turns while it is there. */
export function useReachTop(scroll: RefObject<HTMLElement | null>, onTop: (() => void) | undefined): void {
  useEffect(() => {
    const element = scroll.current
    if (element === null || onTop === undefined) return undefined
    let before = element.scrollTop
    const onScroll = (): void => {
      const isUpwards = element.scrollTop < before
      before = element.scrollTop
      if (isUpwards && element.scrollTop < NEAR_PX) onTop()
    }
    const onWheel = ({ deltaY }: WheelEvent): void => {
      if (deltaY < 0 && element.scrollTop === 0) onTop()
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: true })
    return () => {
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('wheel', onWheel)
    }
  }, [scroll, onTop])
}
