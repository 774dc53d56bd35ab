import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { LinkButton } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { copyText } from '../controls/clipboard.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { matchesKeys } from '../controls/keys.ts'
import { rangeWith } from '../controls/range-with.ts'
import { showFailure } from '../controls/toast.tsx'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { JsonKind, kindOf, valueSource, type JsonIndex } from './json-index.ts'
import { unquote } from './json-pointer.ts'
import { isCapped, JsonRowText } from './json-row-text.tsx'
import { firstOpen, isContainer, pointerOf, rowsOf } from './json-rows.ts'
import styles from './json-view.module.css'
import { LongText } from './long-text.tsx'
import { useJsonIndex } from './use-json-index.ts'
import { countText } from '../text/measures.ts'
import { jsonText } from './text.ts'

const ROW_HEIGHT = 18

interface JsonViewProps {
  text: string
  /** Its accessible name. */
  label: string
  /** JSON pointers of values that need reading. */
  bad?: readonly string[]
  /** A value of a few scalars stays on one line. */
  isCompact?: boolean
}

/**
 * JSON as a tree to read: values exactly as they were written, only the rows on the screen rendered. Text that is
 * no JSON is shown as text, with the place where it stops being JSON.
 */
export function JsonView({ text, label, bad, isCompact = false }: JsonViewProps) {
  const indexed = useJsonIndex(text)
  if (indexed === undefined)
    return (
      <p className={styles.note}>
        {jsonText.jsonView.reading} {countText(text.length)} {jsonText.jsonView.characters}
      </p>
    )
  if (indexed.ok)
    return <JsonTree index={indexed.index} label={label} bad={bad ?? []} isCompact={isCompact} />
  const { message, line, column } = indexed.problem
  return (
    <div className={styles.view}>
      <p className={classes(styles.note, 'is-warn')}>
        {jsonText.jsonView.notJson} {message}
        {jsonText.jsonView.line} {line}
        {jsonText.jsonView.column} {column}
        {jsonText.jsonView.shownAsText}
      </p>
      <LongText text={text} label={label} />
    </div>
  )
}

interface JsonTreeProps {
  index: JsonIndex
  label: string
  bad?: readonly string[]
  isCompact?: boolean
}

/** The tree of JSON that is indexed already. */
export function JsonTree(props: JsonTreeProps) {
  // What is open belongs to one document: another one begins again.
  return <Tree key={documentKey(props.index)} {...props} />
}

const documentKeys = new WeakMap<JsonIndex, number>()
let lastKey = 0

function documentKey(index: JsonIndex): number {
  const known = documentKeys.get(index)
  if (known !== undefined) return known
  lastKey += 1
  documentKeys.set(index, lastKey)
  return lastKey
}

const NONE: readonly string[] = []

function Tree({ index, label, bad = NONE, isCompact = false }: JsonTreeProps) {
  const id = useId()
  const scroll = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<number>>(() => firstOpen(index, isCompact))
  const [active, setActive] = useState(0)
  const [isChosen, setChosen] = useState(false)
  const [shownWhole, setShownWhole] = useState<number | undefined>(undefined)
  const rows = useMemo(() => rowsOf(index, open), [index, open])
  const badPointers = useMemo(() => new Set(bad), [bad])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    rangeExtractor: rangeWith(active),
  })
  const row = rows[active]

  const goTo = (place: number): void => {
    const step = place < active ? -1 : 1
    let next = Math.max(0, Math.min(rows.length - 1, place))
    while (rows[next]?.closing === true && next > 0 && next < rows.length - 1) next += step
    if (rows[next]?.closing === true) next = active
    setActive(next)
    setChosen(true)
    virtual.scrollToIndex(next)
  }

  const toggle = (node: number, isOpen: boolean): void => {
    const next = new Set(open)
    if (isOpen) next.add(node)
    else next.delete(node)
    setOpen(next)
  }

  const copy = (what: string): void => {
    copyText(what).catch((error: unknown) => showFailure(jsonText.jsonView.couldNotCopy, error))
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (row === undefined) return
    if (matchesKeys(event, 'mod+c')) copy(valueSource(index, row.node))
    else if (matchesKeys(event, 'mod+shift+c')) copy(pointerOf(index, row.node))
    else if (event.key === 'ArrowDown') goTo(active + 1)
    else if (event.key === 'ArrowUp') goTo(active - 1)
    else if (event.key === 'Home') goTo(0)
    else if (event.key === 'End') goTo(rows.length - 1)
    else if (event.key === 'PageDown') goTo(active + 15)
    else if (event.key === 'PageUp') goTo(active - 15)
    else if (event.key === 'ArrowRight') {
      if (isContainer(index, row.node) && !open.has(row.node)) toggle(row.node, true)
      else goTo(active + 1)
    } else if (event.key === 'ArrowLeft') {
      if (open.has(row.node)) toggle(row.node, false)
      else
        goTo(
          rows.findLastIndex((other, place) => place < active && !other.closing && other.depth < row.depth),
        )
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (isContainer(index, row.node)) toggle(row.node, !open.has(row.node))
      else if (isCapped(index, row.node)) setShownWhole(row.node)
    } else return
    event.preventDefault()
  }

  return (
    <div className={styles.view}>
      <div
        ref={scroll}
        className={styles.tree}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={`${id}-${String(active)}`}
        onKeyDown={onKeyDown}
      >
        <div role="none" className={styles.tall} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const shown = rows[item.index]
            if (shown === undefined) return null
            const isOpen = open.has(shown.node)
            const foldable = isContainer(index, shown.node) && !shown.closing
            const isBad = badPointers.size > 0 && badPointers.has(pointerOf(index, shown.node))
            return (
              <div
                key={item.key}
                id={`${id}-${String(item.index)}`}
                role={shown.closing ? 'none' : 'treeitem'}
                {...(shown.closing
                  ? { 'aria-hidden': true }
                  : {
                      'aria-level': shown.depth + 1,
                      'aria-posinset': shown.position,
                      'aria-setsize': shown.siblings,
                      'aria-selected': isChosen && item.index === active,
                    })}
                {...(foldable ? { 'aria-expanded': isOpen } : {})}
                className={classes(
                  styles.row,
                  isChosen && item.index === active && styles.active,
                  isBad && styles.bad,
                )}
                style={{ transform: `translateY(${String(item.start)}px)` }}
                onClick={() => {
                  if (shown.closing) return
                  setActive(item.index)
                  setChosen(true)
                  if (foldable) toggle(shown.node, !isOpen)
                }}
              >
                <span className={styles.fold} aria-hidden="true">
                  {foldable ? (isOpen ? '▾' : '▸') : ''}
                </span>
                <span>{'  '.repeat(shown.depth)}</span>
                <JsonRowText index={index} row={shown} open={isOpen && foldable} />
              </div>
            )
          })}
        </div>
      </div>
      {isChosen && row !== undefined && (
        <div className={styles.foot}>
          <span className={classes(styles.path, 'clip')}>
            {visibleText(pointerOf(index, row.node)) || jsonText.jsonView.wholeValue}
          </span>
          {isCapped(index, row.node) && (
            <LinkButton onClick={() => setShownWhole(row.node)}>
              {jsonText.jsonView.showAll} {countText(valueSource(index, row.node).length - 2)}{' '}
              {jsonText.jsonView.charactersUnit}
            </LinkButton>
          )}
          <IconButton
            tight
            icon="copy"
            label={jsonText.jsonView.copyValue}
            keys="mod+c"
            onClick={() => copy(valueSource(index, row.node))}
          />
          <IconButton
            tight
            icon="link"
            label={jsonText.jsonView.copyPath}
            keys="mod+shift+c"
            onClick={() => copy(pointerOf(index, row.node))}
          />
        </div>
      )}
      {shownWhole !== undefined && (
        <div className={styles.whole}>
          <div className={styles.foot}>
            <span className={classes(styles.path, 'clip')}>
              {visibleText(pointerOf(index, shownWhole))}
              {jsonText.jsonView.whole}
            </span>
            <IconButton
              tight
              icon="close"
              label={jsonText.jsonView.closeTheWholeString}
              onClick={() => setShownWhole(undefined)}
            />
          </div>
          <LongText text={wholeText(index, shownWhole)} label={jsonText.jsonView.theWholeString} />
        </div>
      )}
    </div>
  )
}

function wholeText(index: JsonIndex, node: number): string {
  const source = valueSource(index, node)
  return kindOf(index, node) === JsonKind.string ? unquote(source) : source
}
