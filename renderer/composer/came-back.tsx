import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState, type KeyboardEvent } from 'react'
import type { LookedAt, Sent, DescribedFinding } from '../../server-core/host/contract/composer.ts'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { query } from '../host/api.ts'
import { live } from '../host/live.ts'
import { useObservable } from '../state/observable.ts'
import { bytesText, counted } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { frameMark, frameName } from '../timeline/frame-facts.ts'
import { FramePanes } from '../timeline/frame-panes.tsx'
import { timeText } from '../text/times.ts'
import { useOneAsked } from '../timeline/use-one-asked.ts'
import styles from './composer.module.css'
import { composerText } from './text.ts'

/** Of more than these the newest are shown; the timeline has them all. */
const MOST_FRAMES = 200
const PREVIEW = 120

interface CameBackProps {
  serverId: string
  sent: Sent | undefined
  revision: string
}

type Place = { readonly seq: number; readonly exchange: Exchange }

/** What was sent and everything that passed on the connection since: valid or not, with the rules it breaks. */
export function CameBack({ serverId, sent, revision }: CameBackProps) {
  const exchanges = useObservable(live.exchanges)
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const [wholeSeq, setWholeSeq] = useState<number | undefined>(undefined)
  const places = useMemo(
    () => (sent === undefined ? [] : placesSince(exchanges.rows, serverId, sent.fromSeq)),
    [exchanges, serverId, sent],
  )
  const frames = places.map(({ seq, exchange }) => ({
    seq,
    ...(exchange.kind === 'request' && { answers: exchange.method }),
  }))
  const { asked, follow } = useOneAsked({ revision, frames })
  const looked = useQuery({
    ...query.composer.look.queryOptions({ input: asked }),
    enabled: asked.frames.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  follow(looked.isFetching)
  const whole = useQuery({
    ...query.traffic.frames.queryOptions({ input: { seqs: [wholeSeq ?? 0], whole: true } }),
    enabled: wholeSeq !== undefined,
    gcTime: 0,
  })

  if (sent === undefined) {
    return <p className={styles.note}>{composerText.cameBack.nothingSent}</p>
  }
  const shown = (looked.data?.frames ?? []).flatMap((each) => {
    const place = places.find(({ seq }) => seq === each.frame.seq)
    return place === undefined ? [] : [{ ...each, exchange: place.exchange }]
  })
  const received = shown.filter(({ frame }) => frame.direction === 'received').length
  const selected = shown.find(({ frame }) => frame.seq === chosen) ?? shown.findLast(isAnswer) ?? shown.at(-1)
  const wholeFrame = whole.data?.frames[0]

  const onKeyDown = (event: KeyboardEvent): void => {
    const at = selected === undefined ? -1 : shown.indexOf(selected)
    const to =
      event.key === 'ArrowDown'
        ? at + 1
        : event.key === 'ArrowUp'
          ? at - 1
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? shown.length - 1
              : undefined
    const next = to === undefined ? undefined : shown[Math.max(0, Math.min(shown.length - 1, to))]
    if (next === undefined) return
    event.preventDefault()
    setChosen(next.frame.seq)
  }

  return (
    <section className={styles.back} aria-label={composerText.cameBack.received}>
      <div className={styles.backHead}>
        <h3>{composerText.cameBack.received}</h3>
        <span role="status">
          {received === 0 ? composerText.cameBack.nothingYet : counted(received, 'frame')}
          {sent.httpStatus !== undefined && composerText.cameBack.http(String(sent.httpStatus))}
        </span>
        {sent.problem !== undefined && (
          <span className="is-error clip">
            <SafeText>{sent.problem}</SafeText>
          </span>
        )}
      </div>
      <div className={styles.backBody}>
        <div
          className={styles.frames}
          role="listbox"
          aria-label={composerText.cameBack.frames}
          tabIndex={0}
          {...(selected === undefined
            ? {}
            : { 'aria-activedescendant': `composed-${String(selected.frame.seq)}` })}
          onKeyDown={onKeyDown}
        >
          {shown.map((each) => (
            <FrameRow
              key={each.frame.seq}
              looked={each}
              exchange={each.exchange}
              isSelected={each === selected}
              onSelect={() => setChosen(each.frame.seq)}
            />
          ))}
        </div>
        {selected !== undefined && (
          <div className={styles.detail}>
            {selected.findings !== undefined && <Findings findings={selected.findings} />}
            <FramePanes
              isStacked
              frame={wholeFrame?.seq === selected.frame.seq ? wholeFrame : selected.frame}
              onShowAll={() => setWholeSeq(selected.frame.seq)}
            />
          </div>
        )}
      </div>
    </section>
  )
}

/** What is most likely looked for: the newest message, valid or not, that the server sent. */
function isAnswer({ frame }: LookedAt): boolean {
  return frame.direction === 'received' && (frame.kind === 'message' || frame.kind === 'invalid')
}

/** The newest frames of our connection to a server from a number on, in their order. */
function placesSince(
  rows: readonly (Exchange | undefined)[],
  serverId: string,
  fromSeq: number,
): readonly Place[] {
  const places = rows.flatMap((exchange) => {
    if (exchange?.serverId !== serverId || exchange.side !== 'client') return []
    if ((exchange.frames.at(-1) ?? 0) < fromSeq) return []
    return exchange.frames.filter((seq) => seq >= fromSeq).map((seq): Place => ({ seq, exchange }))
  })
  const bySeq = new Map(places.map((place) => [place.seq, place]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq).slice(-MOST_FRAMES)
}

interface FrameRowProps {
  looked: LookedAt
  exchange: Exchange
  isSelected: boolean
  onSelect: () => void
}

function FrameRow({ looked: { frame, findings = [] }, exchange, isSelected, onSelect }: FrameRowProps) {
  const mark = frame.kind === 'invalid' ? NOISE : frameMark(frame, exchange)
  const way = frame.direction === 'sent' ? 'sent' : 'received'
  return (
    <div
      id={`composed-${String(frame.seq)}`}
      role="option"
      aria-selected={isSelected}
      className={classes(styles.frame, isSelected && styles.selected)}
      onClick={onSelect}
    >
      <span className={mark.tone}>
        <Icon name={mark.icon} />
        <span className="vh">{way}, </span>
      </span>
      <span className={styles.at}>{timeText(frame.at)}</span>
      <span className="clip">{frameName(frame, exchange)}</span>
      <span className={classes(styles.preview, 'clip')}>
        <SafeText>{frame.text.slice(0, PREVIEW)}</SafeText>
      </span>
      {findings.length > 0 && (
        <span className={classes(styles.marks, findings.some(isError) ? 'is-error' : 'k-lint')}>
          <Icon name="lint" />
          {counted(findings.length, 'finding')}
        </span>
      )}
      <span className={styles.size}>{bytesText(frame.bytes)}</span>
    </div>
  )
}

const NOISE = { icon: 'kind-error', tone: 'k-error' } as const

function isError({ severity }: DescribedFinding): boolean {
  return severity === 'error'
}

/** The rules that a message breaks; that it breaks none is worth a line too. */
function Findings({ findings }: { findings: readonly DescribedFinding[] }) {
  if (findings.length === 0) {
    return (
      <p className={classes(styles.clean, 'is-ok')}>
        <Icon name="check" />
        {composerText.cameBack.noFindings}
      </p>
    )
  }
  return (
    <ul className={styles.findings} aria-label={composerText.cameBack.findings} tabIndex={0}>
      {findings.map((finding) => (
        <li key={`${finding.rule} ${finding.path}`}>
          <span className={isError(finding) ? 'is-error' : finding.severity === 'warning' ? 'is-warn' : 't2'}>
            <Icon name="lint" />
            <span className="vh">{finding.severity}: </span>
          </span>
          <span>
            <SafeText>{finding.message}</SafeText>{' '}
            <span className="t3">
              <span className="mono">{finding.rule}</span>
              {finding.path !== '' && (
                <>
                  {composerText.cameBack.at}
                  <span className="mono">
                    <SafeText>{finding.path}</SafeText>
                  </span>
                </>
              )}
              . {finding.sentence} {finding.section}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
