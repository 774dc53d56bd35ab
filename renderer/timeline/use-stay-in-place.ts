import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { indexOfPlace } from './exchange-tree.ts'
import type { TimelineView } from './timeline-model.ts'

interface StayOptions {
  follow: boolean
  rowHeight: number
  /** Of the part of the list that is in sight. */
  height: number
  onFollowChange: (follow: boolean) => void
  /** Whether the pointer is over the rows, so that they must not move. */
  isHeld: () => boolean
}

/** The row at the top edge, and how far it is scrolled past. */
interface Anchor {
  readonly id: string
  readonly index: number
  readonly past: number
}

/** Outlives the list, so that a list that is shown again keeps its scroll position. */
let anchor: Anchor | undefined

/** Whether the list was shown before in this page. */
export function keepsPlace(): boolean {
  return anchor !== undefined
}

/**
 * Keeps the list where its reader wants it: at its end while it follows and the pointer is elsewhere, else the row
 * at the top edge stays where it is, whatever comes or goes above it. Scrolling up ends following, scrolling to
 * the end begins it.
 */
export function useStayInPlace(
  scroll: RefObject<HTMLDivElement | null>,
  view: TimelineView,
  { follow, rowHeight, height, onFollowChange, isHeld }: StayOptions,
): void {
  const scrolledTo = useRef(0)
  const wasFollowing = useRef(false)
  const restored = useRef(0)

  useLayoutEffect(() => {
    const element = scroll.current
    if (element === null) return
    const begins = follow && !wasFollowing.current
    wasFollowing.current = follow
    if (follow && (begins || !isHeld())) {
      element.scrollTo({ top: element.scrollHeight })
    } else if (anchor !== undefined) {
      const { id, index } = anchor
      const place = view.tree.placeOf(id)
      const isThere = place === undefined || view.places[index] === place
      const next = isThere ? index : indexOfPlace(view, place)
      const isNew = restored.current === 0
      if (isNew) element.scrollTo({ top: Math.max(0, next) * rowHeight + anchor.past })
      else if (next >= 0 && next !== index) element.scrollBy({ top: (next - index) * rowHeight })
    }
    // Before it has a height the list cannot be scrolled.
    restored.current = height
    if (height === 0) return
    scrolledTo.current = element.scrollTop
    anchor = anchorOf(element, view, rowHeight)
  }, [scroll, view, follow, rowHeight, height, isHeld])

  useEffect(() => {
    const element = scroll.current
    if (element === null) return undefined
    const onScroll = (): void => {
      if (restored.current > 0) anchor = anchorOf(element, view, rowHeight)
      const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 2
      if (element.scrollTop < scrolledTo.current - 1 && !isAtEnd) onFollowChange(false)
      else if (element.scrollTop > scrolledTo.current + 1 && isAtEnd) onFollowChange(true)
      scrolledTo.current = element.scrollTop
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [scroll, view, rowHeight, onFollowChange])
}

function anchorOf(element: HTMLElement, view: TimelineView, rowHeight: number): Anchor | undefined {
  const index = Math.floor(element.scrollTop / rowHeight)
  const row = view.rows[view.places[index] ?? -1]
  return row === undefined ? undefined : { id: row.id, index, past: element.scrollTop - index * rowHeight }
}
