import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { rangeWith } from '../controls/range-with.ts'
import { countText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { nameParts, uriParts, type Entry, type SectionName } from './entries.ts'
import styles from './explorer.module.css'
import type { Row } from './rows.ts'
import { nextRow } from './tree-keys.ts'
import { explorerText } from './text.ts'

interface TreeProps {
  label: string
  rows: readonly Row[]
  /** What it shows may not be so any more. */
  isDimmed?: boolean
  /** Whether an entry is what the workbench shows. */
  isSelected: (entry: Entry) => boolean
  onOpen: (entry: Entry) => void
  /** Reads the next page of a list. */
  onMore: (readingId: string) => void
  onExpandedChange: (section: SectionName, expanded: boolean) => void
}

const rowHeight = 26
const whyHeight = 17

function heightOf(row: Row | undefined): number {
  return row?.kind === 'entry' && row.entry.malformed !== undefined ? rowHeight + whyHeight : rowHeight
}

/** A tree of two levels of which only what is in sight is in the page. Focus stays on the tree; a row is active. */
export function Tree({
  label,
  rows,
  isDimmed = false,
  isSelected,
  onOpen,
  onMore,
  onExpandedChange,
}: TreeProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const treeId = useId()
  const [activeKey, setActiveKey] = useState<string | undefined>(undefined)
  const active = Math.max(
    0,
    rows.findIndex((row) => row.key === activeKey),
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    rangeExtractor: rangeWith(active),
  })

  const activate = (row: Row | undefined): void => {
    if (row === undefined) return
    setActiveKey(row.key)
    virtual.scrollToIndex(rows.indexOf(row))
  }

  const open = (row: Row | undefined): void => {
    if (row?.kind === 'section') onExpandedChange(row.section, !row.expanded)
    else if (row?.kind === 'entry') onOpen(row.entry)
    else if (row?.kind === 'more') {
      onMore(row.readingId)
      // What comes next follows the last entry so far.
      setActiveKey(rows[rows.indexOf(row) - 1]?.key)
    }
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[active]
    if (event.key === 'Enter' || event.key === ' ') open(row)
    else if (event.key === 'ArrowRight' && row?.kind === 'section' && !row.expanded) open(row)
    else if (event.key === 'ArrowLeft' && row?.kind === 'section' && row.expanded) open(row)
    else {
      const next = nextRow(rows, active, event.key)
      if (next === undefined) return
      activate(next)
    }
    event.preventDefault()
  }

  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      tabIndex={0}
      data-panel-focus
      className={classes(styles.tree, isDimmed && styles.dimmed)}
      onKeyDown={onKeyDown}
      {...(rows.length === 0 ? {} : { 'aria-activedescendant': `${treeId}-${active}` })}
    >
      <div role="none" className={styles.content} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]
          if (row === undefined) return null
          return (
            <TreeRow
              key={item.key}
              id={`${treeId}-${item.index}`}
              row={row}
              start={item.start}
              active={item.index === active}
              selected={row.kind === 'entry' && isSelected(row.entry)}
              onPress={() => {
                setActiveKey(row.key)
                open(row)
              }}
            />
          )
        })}
      </div>
    </div>
  )
}

interface TreeRowProps {
  id: string
  row: Row
  start: number
  active: boolean
  selected: boolean
  onPress: () => void
}

function TreeRow({ id, row, start, active, selected, onPress }: TreeRowProps) {
  const broken = row.kind === 'entry' && row.entry.malformed !== undefined
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.kind === 'section' ? 1 : 2}
      aria-posinset={row.place + 1}
      aria-setsize={row.siblings}
      aria-selected={selected}
      {...(row.kind === 'section' ? { 'aria-expanded': row.expanded } : {})}
      className={classes(
        styles.row,
        active && styles.active,
        selected && styles.selected,
        broken && styles.broken,
      )}
      style={{ transform: `translateY(${start}px)` }}
      onClick={onPress}
    >
      {row.kind === 'section' && (
        <div className={classes(styles.line, styles.section)}>
          <Icon name={row.expanded ? 'chev-d' : 'chev-r'} />
          <span>{row.title}</span>{' '}
          <span className="count">
            {row.shown === row.total ? '' : explorerText.tree.ofText(countText(row.shown))}
            {row.isPartial ? `${countText(row.total)}+` : countText(row.total)}
          </span>
        </div>
      )}
      {row.kind === 'note' && (
        <div className={classes(styles.line, styles.note, row.tone === 'error' && styles.error)}>
          <span className="clip" title={visibleText(row.text)}>
            <SafeText>{row.text}</SafeText>
          </span>
        </div>
      )}
      {row.kind === 'more' && (
        <div className={classes(styles.line, styles.more)}>
          <Icon name="chev-d" />
          <span>{explorerText.tree.loadNextPage}</span>
        </div>
      )}
      {row.kind === 'entry' && <EntryLine entry={row.entry} />}
    </div>
  )
}

function EntryLine({ entry }: { entry: Entry }) {
  const isUri = entry.section === 'resources' || entry.section === 'resourceTemplates'
  const [head, tail] = isUri ? uriParts(entry.label) : nameParts(entry.label)
  const tip = entry.title === undefined ? entry.label : `${entry.label}\n${entry.title}`
  return (
    <>
      <div className={styles.line} title={visibleText(tip)}>
        <span className={styles.name}>
          {tail !== '' && <span className="vh">{visibleText(entry.label)}</span>}
          <span className="clip" aria-hidden={tail !== ''}>
            <SafeText>{head}</SafeText>
          </span>
          {tail !== '' && (
            <span aria-hidden>
              <SafeText>{tail}</SafeText>
            </span>
          )}
        </span>{' '}
        <span className={styles.marks}>
          {entry.tags.length > 0 && (
            <span
              className={classes('mark', 'clip', styles.tags)}
              title={visibleText(`tags: ${entry.tags.join(', ')}`)}
            >
              <SafeText>{entry.tags.join(', ')}</SafeText>
            </span>
          )}
          {entry.malformed === undefined ? (
            entry.marks.map((mark) => (
              <span
                key={mark.word}
                className={classes('mark', mark.word === 'destr' && 'mark-warn')}
                title={mark.meaning}
              >
                {mark.word}
              </span>
            ))
          ) : (
            <span className="mark mark-error">{explorerText.tree.malformed}</span>
          )}
        </span>
      </div>
      {entry.malformed !== undefined && (
        <div className={classes(styles.why, 'clip')} title={visibleText(entry.malformed)}>
          <SafeText>{entry.malformed}</SafeText>
        </div>
      )}
    </>
  )
}
