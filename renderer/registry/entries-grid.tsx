import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { EntryKind } from '../../server-core/host/contract/registry.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { rangeWith } from '../controls/range-with.ts'
import { Switch } from '../controls/switch.tsx'
import { uriParts } from '../explorer/entries.ts'
import { countText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import type { EntryLine } from './entry-line.ts'
import { kindTitles, nextRow, type EntryRow } from './entry-rows.ts'
import styles from './entries.module.css'
import { registryText } from './text.ts'

interface EntriesGridProps {
  rows: readonly EntryRow[]
  selected: string | undefined
  onSelect: (line: EntryLine) => void
  /** Shows the definition of the entry. */
  onOpen: (line: EntryLine) => void
  /** Opens the form that renames and describes the entry. */
  onEdit: (line: EntryLine) => void
  onSwitch: (line: EntryLine, isOn: boolean) => void
  onGroupChange: (kind: EntryKind, isOpen: boolean) => void
}

const ROW_HEIGHT = 26
const HEAD_HEIGHT = 22

/**
 * The table of all entries, of which only what is in sight is in the page. Focus stays on the grid; the selected row is
 * the active one. Enter opens, Space switches, F2 edits.
 */
export function EntriesGrid(props: EntriesGridProps) {
  const { rows, selected, onSelect, onOpen, onEdit, onSwitch, onGroupChange } = props
  const id = useId()
  const scroll = useRef<HTMLDivElement>(null)
  const [activeKey, setActiveKey] = useState<string | undefined>(selected)
  const known = rows.findIndex((row) => row.key === activeKey)
  const active = Math.max(0, known)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    rangeExtractor: rangeWith(active),
  })

  // What was selected from elsewhere comes into sight.
  const shownSelection = useRef(selected)
  useLayoutEffect(() => {
    if (shownSelection.current === selected) return
    const place = rows.findIndex((row) => row.key === selected)
    // A new entry may arrive a moment later.
    if (place < 0) return
    shownSelection.current = selected
    setActiveKey(selected)
    virtual.scrollToIndex(place)
  }, [selected, rows, virtual])

  const activate = (row: EntryRow | undefined): void => {
    if (row === undefined) return
    setActiveKey(row.key)
    virtual.scrollToIndex(rows.indexOf(row))
    if (row.type === 'entry') {
      shownSelection.current = row.key
      onSelect(row.line)
    }
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const row = rows[active]
    if (row?.type === 'group') {
      if (event.key === 'Enter' || event.key === ' ') onGroupChange(row.kind, !row.isOpen)
      else if (event.key === 'ArrowRight' && !row.isOpen) onGroupChange(row.kind, true)
      else if (event.key === 'ArrowLeft' && row.isOpen) onGroupChange(row.kind, false)
      else if (event.key === 'ArrowRight') activate(rows[active + 1])
      else if (!move(event.key)) return
    } else if (row !== undefined) {
      if (event.key === 'Enter') onOpen(row.line)
      else if (event.key === ' ' && row.line.entry !== undefined) onSwitch(row.line, !row.line.isOn)
      else if (event.key === 'F2') onEdit(row.line)
      else if (!move(event.key)) return
    } else return
    event.preventDefault()
  }

  const move = (key: string): boolean => {
    const next = nextRow(rows, active, key)
    activate(next)
    return next !== undefined
  }

  return (
    <div
      ref={scroll}
      role="treegrid"
      aria-label={registryText.entriesGrid.entries}
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
          <span role="columnheader">{registryText.entriesGrid.on}</span>
          <span role="columnheader">{registryText.entriesGrid.name}</span>
          <span role="columnheader">{registryText.entriesGrid.source}</span>
          <span role="columnheader" className="num">
            {registryText.entriesGrid.calls}
          </span>
        </div>
      </div>
      <div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]
          if (row === undefined) return null
          const place = {
            id: `${id}-${item.index}`,
            rowIndex: item.index + 2,
            top: item.start - HEAD_HEIGHT,
            isActive: item.index === active,
          }
          return row.type === 'group' ? (
            <GroupRow
              key={item.key}
              {...place}
              row={row}
              onPress={() => {
                setActiveKey(row.key)
                onGroupChange(row.kind, !row.isOpen)
              }}
            />
          ) : (
            <LineRow
              key={item.key}
              {...place}
              line={row.line}
              isSelected={row.key === selected}
              onPress={() => {
                activate(row)
                onOpen(row.line)
              }}
              onSwitch={(isOn) => onSwitch(row.line, isOn)}
            />
          )
        })}
      </div>
    </div>
  )
}

interface Placed {
  id: string
  rowIndex: number
  top: number
  isActive: boolean
}

interface GroupRowProps extends Placed {
  row: EntryRow & { type: 'group' }
  onPress: () => void
}

function GroupRow({ id, rowIndex, top, isActive, row, onPress }: GroupRowProps) {
  return (
    <div
      id={id}
      role="row"
      aria-level={1}
      aria-rowindex={rowIndex}
      aria-expanded={row.isOpen}
      className={classes(styles.group, isActive && styles.active)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onPress}
    >
      <span role="gridcell" aria-colspan={4}>
        <Icon name={row.isOpen ? 'chev-d' : 'chev-r'} />
        {kindTitles[row.kind]}{' '}
        <span className="count">
          {row.shown === row.total ? '' : registryText.entriesGrid.ofText(countText(row.shown))}
          {countText(row.total)}
        </span>
      </span>
    </div>
  )
}

interface LineRowProps extends Placed {
  line: EntryLine
  isSelected: boolean
  onPress: () => void
  onSwitch: (isOn: boolean) => void
}

function LineRow({ id, rowIndex, top, isActive, line, isSelected, onPress, onSwitch }: LineRowProps) {
  const { entry, isOn, mark } = line
  const name = visibleText(line.name)
  const isUri = line.kind === 'resource' || line.kind === 'template'
  // The end of a URI is more distinctive than its middle.
  const [head, tail] = isUri ? uriParts(line.name) : [line.name, '']
  const callers = entry?.lastCaller === undefined ? '' : `, last by ${visibleText(entry.lastCaller.name)}`
  return (
    <div
      id={id}
      role="row"
      aria-level={2}
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      className={classes(
        styles.row,
        styles.line,
        !isOn && styles.off,
        isActive && styles.active,
        isSelected && styles.selected,
      )}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onPress}
    >
      <span
        role="gridcell"
        className={styles.switch}
        // The click is for the switch, not for the row.
        onClick={(event) => event.stopPropagation()}
      >
        {entry !== undefined && (
          <Switch
            checked={isOn}
            onCheckedChange={onSwitch}
            aria-label={registryText.entriesGrid.serve(name)}
            tabIndex={-1}
          />
        )}
      </span>
      <span role="gridcell" className={styles.name} title={tipOf(line)}>
        <span className="clip">
          <SafeText>{head}</SafeText>
        </span>
        {tail !== '' && (
          <span className="clip">
            <SafeText>{tail}</SafeText>
          </span>
        )}
        {entry?.tags !== undefined && (
          <span className={classes('mark', styles.tags, 'clip')}>
            <SafeText>{entry.tags.join(', ')}</SafeText>
          </span>
        )}
      </span>
      <span role="gridcell" className={classes(styles.source, 'clip')} title={visibleText(line.source)}>
        <SafeText>{line.source}</SafeText>
      </span>
      <span role="gridcell" className="num">
        <span
          className={classes('mark', mark.tone === 'error' && 'mark-error')}
          title={line.problem === undefined ? `${mark.text}${callers}` : visibleText(line.problem)}
        >
          {mark.text}
        </span>
      </span>
    </div>
  )
}

function tipOf({ name, entry }: EntryLine): string {
  const source = entry === undefined || entry.name === name ? [] : [`name in its source: ${entry.name}`]
  const tags = entry?.tags === undefined ? [] : [`tags: ${entry.tags.join(', ')}`]
  return visibleText([name, ...source, ...tags].join('\n'))
}
