import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import type { CheckRow } from '../../server-core/host/contract/conformance.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { rangeWith } from '../controls/range-with.ts'
import { rowForKey } from '../controls/row-keys.ts'
import styles from './checks-table.module.css'
import { lookOf } from './status-look.ts'
import { conformanceText } from './text.ts'

const { checks: text, status: words } = conformanceText

interface ChecksTableProps {
  rows: readonly CheckRow[]
  selected: string | undefined
  onSelect: (id: string) => void
  /** Enter on a row. */
  onOpen: () => void
}

const ROW_HEIGHT = 26
const HEAD_HEIGHT = 22

/** The checks of a cell, of which only what is in sight is in the page. Focus stays on the grid. */
export function ChecksTable({ rows, selected, onSelect, onOpen }: ChecksTableProps) {
  const id = useId()
  const scroll = useRef<HTMLDivElement>(null)
  const active = Math.max(
    0,
    rows.findIndex((row) => row.id === selected),
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    rangeExtractor: rangeWith(active),
  })

  // What was selected from elsewhere comes into sight; rows that change their places leave the view where it is.
  const shown = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    if (shown.current === selected || rows.length === 0) return
    shown.current = selected
    virtual.scrollToIndex(active)
  }, [selected, rows, active, virtual])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    if (event.key === 'Enter') {
      const row = rows[active]
      if (row !== undefined) onSelect(row.id)
      onOpen()
    } else {
      const next = rowForKey(rows, active, event.key, { isGroup: () => false, nameOf: ({ title }) => title })
      if (next === undefined) return
      onSelect(next.id)
    }
    event.preventDefault()
  }

  return (
    <div
      ref={scroll}
      role="grid"
      aria-label={text.checks}
      aria-rowcount={rows.length + 1}
      aria-colcount={4}
      tabIndex={0}
      data-panel-focus
      className={styles.grid}
      onKeyDown={onKeyDown}
      {...(rows.length === 0 ? {} : { 'aria-activedescendant': `${id}-${active}` })}
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" className={classes(styles.row, styles.headRow)}>
          <span role="columnheader">
            <span className="vh">{text.status}</span>
          </span>
          <span role="columnheader">{text.title}</span>
          <span role="columnheader">{text.clause}</span>
          <span role="columnheader" className="num">
            {text.time}
          </span>
        </div>
      </div>
      <div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]
          if (row === undefined) return null
          const { icon, word, tone } = lookOf(row)
          const isSelected = row.id === selected
          return (
            <div
              key={item.key}
              id={`${id}-${item.index}`}
              role="row"
              aria-rowindex={item.index + 2}
              aria-selected={isSelected}
              className={classes(
                styles.row,
                styles.line,
                item.index === active && styles.active,
                isSelected && styles.selected,
              )}
              style={{ transform: `translateY(${item.start - HEAD_HEIGHT}px)` }}
              onClick={() => {
                shown.current = row.id
                onSelect(row.id)
              }}
            >
              <span role="gridcell" className={tone} title={word}>
                <Icon name={icon} />
                <span className="vh">{word}</span>
              </span>
              <span role="gridcell" className="clip" title={`${row.title}\n${row.id}`}>
                {row.title}
                {row.before !== undefined && (
                  <span className={styles.was}> {text.was(words[row.before])}</span>
                )}
              </span>
              <span role="gridcell" className={classes(styles.clause, 'clip')} title={row.clause}>
                {row.clause}
              </span>
              <span role="gridcell" className={classes('num', styles.time)}>
                {row.durationMs === undefined || row.status === 'notApplicable'
                  ? ''
                  : durationText(row.durationMs)}
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}
