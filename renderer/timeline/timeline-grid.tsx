import { useVirtualizer } from '@tanstack/react-virtual'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent } from 'react'
import { rangeWith } from '../controls/range-with.ts'
import { useObservable } from '../state/observable.ts'
import { useClock } from './clock.ts'
import { indexOfPlace } from './exchange-tree.ts'
import { stepOf } from './grid-keys.ts'
import { Ruler } from './ruler.tsx'
import { scrollTopFor } from './show-row.ts'
import { liveTimeline, type TimelineState } from './selection.ts'
import { placeIn } from './time-window.ts'
import type { TimelineView } from './timeline-model.ts'
import { useReachTop } from './use-reach-top.ts'
import { TimelineRow } from './timeline-row.tsx'
import styles from './timeline.module.css'
import { windowOf } from './row-window.ts'
import { useSameWindow } from './use-same-window.ts'
import { keepsPlace, useStayInPlace } from './use-stay-in-place.ts'
import { useSize } from '../controls/use-size.ts'
import { timelineText } from './text.ts'

const ROW_HEIGHT = 26
const HEAD_HEIGHT = 22
const PAGE_ROWS = 10
const OVERSCAN = 4
/** From the left edge of a row to its menu when a key opens it. */
const MENU_INDENT = 120
/** Keys that lead to rows above. */
const UPWARDS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home'])

interface TimelineGridProps {
  view: TimelineView
  follow: boolean
  /** What is shown, if it is not the timeline of this window. */
  state?: TimelineState
  /** Opens the menu of a row, at a place of the window. */
  /** Called when its reader wants to go above the first row. */
  onTop?: (() => void) | undefined
  onMenu?: ((row: Exchange, at: { readonly x: number; readonly y: number }) => void) | undefined
}

/** The rows as a tree grid: only those on the screen are rendered, the selected one always is. */
export function TimelineGrid({ view, follow, state = liveTimeline, onTop, onMenu }: TimelineGridProps) {
  const { timeline, selectedExchange, framesOpen, following } = state
  const id = useId()
  const scroll = useRef<HTMLDivElement>(null)
  const plot = useRef<HTMLSpanElement>(null)
  const plotWidth = Math.max(1, useSize(plot).width)
  const selectedId = useObservable(selectedExchange)
  const { places, rows, tree } = view
  const selectedPlace = selectedId === undefined ? undefined : tree.placeOf(selectedId)
  const active = selectedPlace === undefined ? -1 : indexOfPlace(view, selectedPlace)
  const virtual = useVirtualizer({
    count: places.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    rangeExtractor: rangeWith(active),
  })
  const items = virtual.getVirtualItems()
  const sight = virtual.range ?? { startIndex: 0, endIndex: -1 }
  const inSight = places.slice(sight.startIndex, sight.endIndex + 1).flatMap((place) => rows[place] ?? [])
  const slots = sight.endIndex - sight.startIndex + 1 + 2 * OVERSCAN
  const slot = (index: number): number => slotOf(index, active, sight, slots)
  // While it scrolls, elements in the order of their keys stay where they are in the document. At rest their order is
  // that of the rows, which a screen reader reads.
  const drawn = virtual.isScrolling
    ? items.toSorted((one, other) => slot(one.index) - slot(other.index))
    : items
  const now = useClock(inSight.some((row) => row.outcome === 'open') ? 100 : 1_000)
  const window = useSameWindow(windowOf(inSight, now))
  const nowPlace = placeIn(window, now)

  const height = useSize(scroll).height
  useStayInPlace(scroll, view, {
    follow,
    height,
    rowHeight: ROW_HEIGHT,
    onFollowChange: following.setFollow,
    isHeld: timeline.isHeld,
  })

  useEffect(() => () => timeline.hold(false), [timeline])
  useReachTop(scroll, onTop)

  // A newly selected row comes into sight, and stays in sight when its frames take room. A panel that was just opened
  // has no height yet: it shows what it showed before, and the selected row if that was selected before the first time.
  const isInSight = active >= sight.startIndex && active <= sight.endIndex
  const shown = useRef({ id: keepsPlace() ? selectedId : undefined, height, isInSight })
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { id: height === 0 ? before.id : selectedId, height, isInSight }
    const shrank = before.isInSight && before.height > height && !follow
    const element = scroll.current
    if (element === null || active < 0 || height === 0) return
    if (before.id === selectedId && !shrank) return
    const top = scrollTopFor(active, element, { row: ROW_HEIGHT, head: HEAD_HEIGHT })
    if (top !== element.scrollTop) element.scrollTo({ top })
  })

  const select = (index: number): void => {
    const row = rows[places[Math.max(0, Math.min(places.length - 1, index))] ?? -1]
    if (row === undefined) return
    following.select(row.id)
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = active < 0 ? undefined : rows[places[active] ?? -1]
    const step = stepOf(event.key, row, view)
    if (active <= 0 && UPWARDS.has(event.key)) onTop?.()
    switch (step?.type) {
      case undefined:
        return
      case 'move':
        select(
          active < 0
            ? step.by > 0
              ? 0
              : places.length - 1
            : active + step.by * (step.pages ? PAGE_ROWS : 1),
        )
        break
      case 'edge':
        select(step.last ? places.length - 1 : 0)
        break
      case 'parent':
        select(indexOfPlace(view, step.place))
        break
      case 'expand':
        timeline.setExpanded([step.id], step.isExpanded)
        break
      case 'open':
        framesOpen.set(true)
        break
      case 'close':
        following.closeFrames()
        break
    }
    event.preventDefault()
  }

  const onContextMenu = (event: MouseEvent): void => {
    if (onMenu === undefined || !(event.target instanceof Element)) return
    // The menu key has no place of its own: the menu opens at the selected row.
    const isKey = event.button !== 2
    const element = isKey
      ? (scroll.current?.querySelector<HTMLElement>('[aria-selected="true"]') ?? null)
      : event.target.closest<HTMLElement>('[data-index]')
    const row = rows[places[Number(element?.dataset['index'] ?? -1)] ?? -1]
    if (element === null || row === undefined) return
    event.preventDefault()
    select(Number(element.dataset['index']))
    const { left, bottom } = element.getBoundingClientRect()
    onMenu(row, isKey ? { x: left + MENU_INDENT, y: bottom } : { x: event.clientX, y: event.clientY })
  }

  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element)) return
    const element = event.target.closest<HTMLElement>('[data-index]')
    if (element === null) return
    const row = rows[places[Number(element.dataset['index'])] ?? -1]
    if (row === undefined) return
    if (event.target.closest('[data-twisty]') !== null) {
      timeline.setExpanded([row.id], !view.expanded.has(row.id))
      return
    }
    select(Number(element.dataset['index']))
    framesOpen.set(true)
  }

  return (
    <div
      ref={scroll}
      className={styles.grid}
      role="treegrid"
      aria-label={timelineText.timelineGrid.exchanges}
      aria-rowcount={places.length + 1}
      aria-colcount={5}
      tabIndex={0}
      data-panel-focus
      {...(active >= 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
    >
      <Ruler window={window} plotRef={plot} />
      <div
        role="rowgroup"
        className={styles.rows}
        style={{ height: virtual.getTotalSize() }}
        onClick={onClick}
        onPointerEnter={() => timeline.hold(true)}
        onPointerLeave={() => timeline.hold(false)}
      >
        {drawn.map((item) => {
          const row = rows[places[item.index] ?? -1]
          if (row === undefined) return null
          const depth = tree.depthOf(row)
          const below = rows[places[item.index + 1] ?? -1]
          return (
            <TimelineRow
              key={slot(item.index)}
              id={`${id}-${item.index}`}
              row={row}
              index={item.index}
              top={item.start - HEAD_HEIGHT}
              depth={depth}
              isLast={depth > 0 && (below === undefined || tree.depthOf(below) < depth)}
              expanded={tree.childrenOf(row.id).length === 0 ? undefined : view.expanded.has(row.id)}
              selected={row.id === selectedId}
              window={window}
              plotWidth={plotWidth}
              now={row.outcome === 'open' ? now : 0}
            />
          )
        })}
        {nowPlace >= 0 && nowPlace <= 1 && (
          <div className={styles.nowLayer} aria-hidden="true">
            <span className={styles.nowPlot}>
              <span className={styles.now} style={{ left: `${nowPlace * 100}%` }} />
            </span>
          </div>
        )}
      </div>
    </div>
  )
}

/**
 * The element that shows a row: elements whose row left the screen show the one that came, which is far cheaper
 * than new ones. A selected row far away has its own.
 */
function slotOf(
  index: number,
  active: number,
  sight: { readonly startIndex: number; readonly endIndex: number },
  slots: number,
): number {
  const isFar = index < sight.startIndex - OVERSCAN || index > sight.endIndex + OVERSCAN
  return index === active && isFar ? -1 : index % slots
}
