import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import type { ComparedCallData } from '../../server-core/host/contract/recordings.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { Select } from '../controls/select.tsx'
import { query } from '../host/api.ts'
import { nameOf } from '../recordings/list-order.ts'
import { diffCommand } from '../recordings/recording-commands.ts'
import { useCommandLine } from '../recordings/recordings-state.ts'
import { useObservable } from '../state/observable.ts'
import { countText } from '../text/measures.ts'
import { dayText, secondText } from '../text/times.ts'
import { comparing, openComparison, type ComparedExchange } from './comparison-state.ts'
import styles from './comparison.module.css'
import { ExchangeComparison } from './exchange-comparison.tsx'
import { comparisonText } from './text.ts'

const text = comparisonText.recordings

interface RecordingsComparisonProps {
  before: string
  after: string | undefined
}

/** Which calls of two recordings differ, and how the selected one does. */
export function RecordingsComparison({ before, after }: RecordingsComparisonProps) {
  const { ignore, exact } = useObservable(comparing)
  const [chosen, setChosen] = useState(0)
  const { data: all = [] } = useQuery(query.recordings.list.queryOptions())
  const line = useCommandLine()
  const options = all.map((each) => ({
    value: each.id,
    label: `${visibleText(nameOf({ ...each }))}, ${dayText(each.startedAt)} ${secondText(each.startedAt)}`,
  }))
  const { data, error } = useQuery({
    ...query.recordings.compareRecordings.queryOptions({
      input: after === undefined ? skipToken : { before, after, ignore: [...ignore], exact },
    }),
    placeholderData: keepPreviousData,
  })
  const call = data?.calls[Math.min(chosen, data.calls.length - 1)]
  return (
    <>
      <div className={styles.sides}>
        <span>{text.before}</span>
        <Select
          label={text.before}
          options={options}
          value={before}
          onValueChange={(next) => openComparison.set({ type: 'recordings', before: next, after })}
        />
        <span>{text.after}</span>
        <Select
          label={text.after}
          options={options}
          value={after ?? null}
          placeholder={text.choose}
          onValueChange={(next) => openComparison.set({ type: 'recordings', before, after: next })}
        />
        {after !== undefined && line !== undefined && (
          <CopyButton
            label={comparisonText.bar.copyCommand}
            text={diffCommand(before, after, ignore, exact, line)}
          />
        )}
      </div>
      {error !== null && (
        <EmptyState title={comparisonText.exchange.couldNotCompare}>{visibleText(error.message)}</EmptyState>
      )}
      {after === undefined && <p className={styles.note}>{text.chooseText}</p>}
      {after !== undefined && data === undefined && error === null && (
        <p className={styles.note}>{comparisonText.exchange.comparing}</p>
      )}
      {data !== undefined && error === null && (
        <>
          <p className={styles.note} role="status">
            {text.counts(
              countText(data.same),
              countText(data.changed),
              countText(data.onlyBefore),
              countText(data.onlyAfter),
              countText(data.moved),
            )}
          </p>
          {data.calls.length === 0 ? (
            <EmptyState title={text.none}>{text.noneText}</EmptyState>
          ) : (
            <div className={styles.columns}>
              <ul className={styles.calls} aria-label={text.calls} onKeyDown={walkButtons}>
                {data.calls.map((each, place) => (
                  <li key={place}>
                    <button
                      type="button"
                      aria-current={each === call ? 'true' : undefined}
                      onClick={() => setChosen(place)}
                    >
                      <span className="clip">
                        {each.direction === 'received' && text.fromServer}
                        <span className={styles.method}>{visibleText(each.method)}</span>{' '}
                        {visibleText(each.target)}
                      </span>
                      <span className={styles.remark}>{wordsOf(each)}</span>
                    </button>
                  </li>
                ))}
                {data.more > 0 && <li className={styles.note}>{text.more(data.more)}</li>}
              </ul>
              {call !== undefined && after !== undefined && (
                <Call call={call} before={before} after={after} />
              )}
            </div>
          )}
        </>
      )}
    </>
  )
}

function Call({ call, before, after }: { call: ComparedCallData; before: string; after: string }) {
  if (call.before === undefined || call.after === undefined)
    return (
      <EmptyState title={call.before === undefined ? text.onlyAfter : text.onlyBefore}>
        {text.alone}
      </EmptyState>
    )
  return (
    <ExchangeComparison
      before={sideOf(text.before, before, call.before)}
      after={sideOf(text.after, after, call.after)}
    />
  )
}

function sideOf(
  title: string,
  recording: string,
  { frames, durationMs }: NonNullable<ComparedCallData['before']>,
): ComparedExchange {
  return {
    title: durationMs === undefined ? title : `${title}, ${durationText(durationMs)}`,
    recording,
    frames,
  }
}

function wordsOf({ before, after, moved, changes }: ComparedCallData): string {
  if (before === undefined) return text.onlyAfter
  if (after === undefined) return text.onlyBefore
  return [...(changes > 0 ? [text.values(changes)] : []), ...(moved ? [text.moved] : [])].join(', ')
}

/** The arrow keys lead from call to call. */
function walkButtons(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const next = buttons.findIndex((button) => button === document.activeElement) + step
  event.preventDefault()
  buttons[Math.max(0, Math.min(buttons.length - 1, next))]?.focus()
}
