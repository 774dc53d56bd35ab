import { useLayoutEffect, useState, type RefObject } from 'react'

/** The element's width in pixels, measured anew whenever it changes. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(1)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(1, entry.contentRect.width))
    })
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return width
}
