import { useEffect, useRef, type RefObject } from 'react'

/** Pixels of a line of JSON, and of what is above and below the lines. */
const LINE = 18
const AROUND_LINES = 34
/** Lines of JSON that are given room; more scroll. */
const MAX_LINES = 8

/**
 * Reports how high arguments are: their form, or the first lines of their JSON where these take more.
 *
 * @param onHeight gets pixels at first and after each change
 * @returns the ref of the element around the form
 */
export function useContentHeight(
  text: string,
  onHeight: ((height: number) => void) | undefined,
): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null)
  const lines = Math.min(MAX_LINES, text.split('\n', MAX_LINES).length)

  useEffect(() => {
    const element = content.current
    if (element === null || onHeight === undefined) return undefined
    const report = (): void => onHeight(Math.max(element.offsetHeight, lines * LINE + AROUND_LINES))
    const observer = new ResizeObserver(report)
    observer.observe(element)
    return () => observer.disconnect()
  }, [lines, onHeight])
  return content
}
