import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState, type KeyboardEvent } from 'react'
import type {
  ExchangeComparison as Comparison,
  ValueChange,
} from '../../server-core/host/contract/recordings.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { classes } from '../controls/classes.ts'
import { EmptyState } from '../controls/empty-state.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { useShortcut } from '../controls/use-shortcut.ts'
import { query } from '../host/api.ts'
import { useObservable } from '../state/observable.ts'
import { leaveOut } from './comparison-bar.tsx'
import { comparing, type ComparedExchange } from './comparison-state.ts'
import styles from './comparison.module.css'
import { comparisonText } from './text.ts'

const { exchange: text, bar } = comparisonText

/** Loaded with the editor, whose libraries it is made of. */
const TextDifference = lazy(() => import('../registry/text-difference.tsx'))

type View = 'values' | 'json'
const VIEWS = [
  { value: 'values', label: bar.values },
  { value: 'json', label: bar.json },
] as const

interface ExchangeComparisonProps {
  before: ComparedExchange
  after: ComparedExchange
}

/** What changed between two exchanges, value by value or as JSON side by side. F8 leads to the next difference. */
export function ExchangeComparison({ before, after }: ExchangeComparisonProps) {
  const { ignore, exact } = useObservable(comparing)
  const [view, setView] = useState<View>('values')
  const input = {
    before: framesOf(before),
    after: framesOf(after),
    ignore: [...ignore],
    exact,
  }
  const { data, error } = useQuery({
    ...query.recordings.compareExchanges.queryOptions({ input }),
    placeholderData: keepPreviousData,
  })
  const table = useRef<HTMLTableElement>(null)
  const walk = (step: 1 | -1): void => {
    const rows = [...(table.current?.querySelectorAll<HTMLElement>('tr[data-change]') ?? [])]
    const here = rows.findIndex((row) => row.contains(document.activeElement))
    const next = here === -1 ? (step === 1 ? 0 : rows.length - 1) : (here + step + rows.length) % rows.length
    rows[next]?.focus()
  }
  useShortcut('F8', () => walk(1))
  useShortcut('shift+F8', () => walk(-1))
  if (error !== null)
    return <EmptyState title={text.couldNotCompare}>{visibleText(error.message)}</EmptyState>
  if (data === undefined) return <p className={styles.note}>{text.comparing}</p>
  return (
    <section className={styles.exchange} aria-label={text.table}>
      <div className={styles.bar}>
        <span role="status" className={data.changes.length > 0 ? 'is-warn' : 'is-ok'}>
          {data.changes.length === 0 ? text.same : countsOf(data)}
        </span>
        <span className={styles.end}>
          <Segmented label={bar.view} options={VIEWS} value={view} onValueChange={setView} />
          <IconButton
            icon="chev-u"
            label={bar.previous}
            keys="shift+F8"
            disabled={data.changes.length === 0}
            onClick={() => walk(-1)}
          />
          <IconButton
            icon="chev-d"
            label={bar.next}
            keys="F8"
            disabled={data.changes.length === 0}
            onClick={() => walk(1)}
          />
        </span>
      </div>
      {view === 'json' ? (
        <>
          {(data.before.truncated || data.after.truncated) && (
            <p className={styles.note}>{text.beginningOnly}</p>
          )}
          <Suspense fallback={<div className={styles.scroll} aria-busy="true" />}>
            <TextDifference
              before={data.before.json}
              after={data.after.json}
              label={comparisonText.dialog.title}
            />
          </Suspense>
        </>
      ) : (
        <div className={styles.scroll}>
          {data.changes.length === 0 ? (
            <EmptyState title={text.same}>{text.sameText}</EmptyState>
          ) : (
            <table ref={table} className={styles.table} aria-label={text.table} onKeyDown={walkRows}>
              <thead>
                <tr>
                  <th scope="col">
                    <span className="vh">{text.change}</span>
                  </th>
                  <th scope="col">{text.value}</th>
                  <th scope="col">{visibleText(before.title)}</th>
                  <th scope="col">{visibleText(after.title)}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {data.changes.map((change) => (
                  <ChangeRow key={`${change.kind} ${change.pointer} ${change.from ?? ''}`} change={change} />
                ))}
              </tbody>
            </table>
          )}
          {data.more > 0 && <p className={styles.note}>{text.more(data.more)}</p>}
          <LeftOut comparison={data} />
        </div>
      )}
    </section>
  )
}

function framesOf({ recording, frames }: ComparedExchange) {
  return { frames, ...(recording !== undefined && { recording }) }
}

function countsOf({ changes, more }: Comparison): string {
  const of = (...kinds: readonly ValueChange['kind'][]): number =>
    changes.filter(({ kind }) => kinds.includes(kind)).length
  return text.counts(of('changed', 'type') + more, of('added'), of('removed'), of('moved'))
}

/** The arrow keys lead from row to row. */
function walkRows(event: KeyboardEvent<HTMLTableElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !(event.target instanceof HTMLTableRowElement)) return
  const next = step === 1 ? event.target.nextElementSibling : event.target.previousElementSibling
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}

const SIGNS: Readonly<Record<ValueChange['kind'], string>> = {
  added: '+',
  removed: '−',
  changed: '≠',
  type: '≠',
  moved: '↕',
}

function ChangeRow({ change }: { change: ValueChange }) {
  const { kind, pointer, from, before, after } = change
  const shown = visibleText(pointer === '' ? text.whole : pointer)
  return (
    <tr className={classes(styles.change, styles[kind])} data-change tabIndex={0}>
      <td>
        <span aria-hidden="true">{SIGNS[kind]}</span>
        <span className="vh">{text.kinds[kind]}</span>
      </td>
      <td className={styles.pointer}>{shown}</td>
      <td>
        <Value value={before} isAbsent={kind === 'added'} />
      </td>
      <td>
        <Value value={after} isAbsent={kind === 'removed'} />
        {kind === 'type' && <span className={styles.remark}>{text.typeChanged}</span>}
        {from !== undefined && <span className={styles.remark}>{text.movedFrom(visibleText(from))}</span>}
      </td>
      <td>
        <IconButton
          tight
          icon="minus"
          label={bar.ignoreOne(shown)}
          disabled={pointer === ''}
          onClick={() => leaveOut(pointer)}
        />
      </td>
    </tr>
  )
}

function Value({ value, isAbsent }: { value: ValueChange['before']; isAbsent: boolean }) {
  if (value === undefined) return isAbsent ? <span className={styles.remark}>{text.absent}</span> : null
  return (
    <span className={styles.json}>
      {visibleText(value.json)}
      {value.truncated && <span className={styles.remark}>{text.truncated}</span>}
    </span>
  )
}

/** Values that differ from run to run, folded, and how many differences were left out. */
function LeftOut({ comparison: { volatile, ignored } }: { comparison: Comparison }) {
  return (
    <>
      {volatile.length > 0 && (
        <details className={styles.volatile}>
          <summary>{text.volatile(volatile.length)}</summary>
          <ul>
            {volatile.slice(0, 500).map(({ kind, pointer, after }) => (
              <li key={pointer}>
                <span className={styles.pointer}>{visibleText(pointer)}</span>{' '}
                <span className={styles.json}>{after === undefined ? '' : visibleText(after.json)}</span>{' '}
                <span className={styles.remark}>{text.volatileKinds[kind]}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {ignored > 0 && <p className={styles.note}>{text.ignored(ignored)}</p>}
    </>
  )
}
