import { useLayoutEffect, useState, type RefObject } from 'react'

export interface Size {
  readonly width: number
  readonly height: number
}

/** The size of an element's content in pixels, measured again whenever it changes. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const { width, height } = entry.contentRect
      setSize({ width, height })
    })
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return size
}
