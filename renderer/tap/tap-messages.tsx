import { useEffect, useRef } from 'react'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import type { TapState } from '../../server-core/host/contract/taps.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Bar } from '../controls/bar.tsx'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { live } from '../host/live.ts'
import { useObservable } from '../state/observable.ts'
import { markOf } from '../timeline/row-facts.ts'
import { timeText } from '../text/times.ts'
import { sidesOf } from './tap-selection.ts'
import styles from './tap.module.css'
import { tapText } from './text.ts'

const text = tapText.tapMessages
/** Rows that are shown; the timeline and the recording have all. */
const MOST_ROWS = 300

/** What passes a tap, the newest below. */
export function TapMessages({ tap }: { tap: TapState }) {
  const { rows } = useObservable(live.exchanges)
  const shown = newestOf(rows, tap.id)
  const list = useRef<HTMLDivElement>(null)
  const last = shown.at(-1)?.id
  useEffect(() => {
    const { current } = list
    if (current !== null) current.scrollTop = current.scrollHeight
  }, [last])
  return (
    <>
      <Bar
        end={
          <span className={styles.count}>
            {text.exchanges(shown.length)}
            {tap.missed > 0 && `, ${text.missed(tap.missed)}`}
          </span>
        }
      >
        <h2 className="clip">{visibleText(sidesOf(tap))}</h2>
        <span className={tap.isRunning ? 'is-ok' : 't3'}>
          <Icon name={tap.isRunning ? 'st-on' : 'st-off'} />
        </span>
      </Bar>
      <div ref={list} className={styles.messages} tabIndex={0} role="group" aria-label={text.list}>
        {shown.length === 0 ? (
          <p className={styles.hint}>{text.waiting}</p>
        ) : (
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{text.time}</th>
                <th scope="col">{text.message}</th>
                <th scope="col">{text.rule}</th>
                <th scope="col" className={styles.figure}>
                  {text.result}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row key={row.id} row={row} />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </>
  )
}

function Row({ row }: { row: Exchange }) {
  const mark = markOf(row)
  const failed = row.outcome === 'error' || row.outcome === 'tool-error' || row.outcome === 'lost'
  const result =
    row.endedAt === undefined
      ? row.kind === 'request'
        ? text.open
        : ''
      : durationText(row.endedAt - row.startedAt)
  return (
    <tr>
      <td className={styles.mono}>{timeText(row.startedAt)}</td>
      <td className={styles.what}>
        <span className={classes(styles.mark, mark.tone)}>
          <Icon name={mark.icon} />
          <span className="vh">{mark.name}</span>
        </span>{' '}
        <span className={styles.mono}>{visibleText(row.method)}</span>{' '}
        <span className="t2">{row.kind === 'fault' ? '' : visibleText(row.label)}</span>
      </td>
      <td className={styles.what} title={row.faults?.map((each) => visibleText(each)).join('\n')}>
        {row.kind === 'fault' ? visibleText(row.label) : visibleText(row.faults?.at(-1) ?? '')}
      </td>
      <td className={styles.figure}>
        <span className={failed ? 'is-error' : undefined}>
          {failed ? (row.errorCode ?? row.outcome) : result}
        </span>
      </td>
    </tr>
  )
}

function newestOf(rows: readonly (Exchange | undefined)[], id: string): readonly Exchange[] {
  const found: Exchange[] = []
  for (let at = rows.length - 1; at >= 0 && found.length < MOST_ROWS; at -= 1) {
    const row = rows[at]
    if (row?.serverId === id && (row.kind !== 'fault' || row.parentId === undefined)) found.push(row)
  }
  return found.reverse()
}
