import type { FrameView as Frame } from '../../server-core/host/contract/traffic.ts'
import { Button } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { JsonView } from '../json/json-view.tsx'
import { LongText } from '../json/long-text.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { bytesText } from '../text/measures.ts'
import styles from './frame-view.module.css'
import { timelineText } from './text.ts'

/** So much of a long frame is read at first. */
const PART_BYTES = 256 * 1024

interface FramePanesProps {
  frame: Frame
  onShowAll: () => void
  /** The HTTP facts stand above, where there is little width. */
  isStacked?: boolean
}

/** HTTP facts, raw and parsed side by side. Invalid JSON has no parsed view. */
export function FramePanes({ frame, onShowAll, isStacked = false }: FramePanesProps) {
  const { http } = frame
  const isMessage = frame.kind === 'message'
  const raw = frame.direction === 'received' ? 'raw, as received' : 'raw, as sent'
  return (
    <div
      className={classes(styles.panes, http !== undefined && (isStacked ? styles.stacked : styles.withHttp))}
    >
      {http !== undefined && (
        <div className={styles.http}>
          <div className={styles.head}>
            {http.status === undefined ? (
              <span className="clip" title={http.url}>
                {http.method} <SafeText>{http.url}</SafeText>
              </span>
            ) : (
              timelineText.framePanes.http(http.status)
            )}
          </div>
          <div
            className={styles.headers}
            role="group"
            aria-label={timelineText.framePanes.httpHeaders}
            tabIndex={0}
          >
            <dl>
              {http.event !== undefined && <EventFacts event={http.event} />}
              {http.headers.map(({ name, value }, index) => (
                <div key={index}>
                  <dt>
                    <SafeText>{name}</SafeText>
                  </dt>
                  <dd className="clip" title={value}>
                    <SafeText>{value}</SafeText>
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
      )}
      <div className={styles.data}>
        <div className={styles.head}>
          <span>{frame.reason === undefined ? raw : <SafeText>{frame.reason}</SafeText>}</span>
          {frame.redacted === true && (
            <span className="t2">{timelineText.framePanes.storedSecretsMasked}</span>
          )}
          {frame.truncated && (
            <>
              <span className="is-warn">
                {timelineText.framePanes.first} {bytesText(PART_BYTES)} {timelineText.framePanes.ofText}{' '}
                {bytesText(frame.bytes)}
              </span>
              <Button className={styles.all} onClick={onShowAll}>
                {timelineText.framePanes.showAll}
              </Button>
            </>
          )}
        </div>
        {frame.bytes === 0 ? (
          <p className={styles.none}>{timelineText.framePanes.noBytes}</p>
        ) : (
          <LongText text={frame.text} label={raw} />
        )}
      </div>
      {isMessage && (
        <div className={styles.data}>
          <div className={styles.head}>{timelineText.framePanes.parsed}</div>
          {frame.truncated ? (
            <p className={styles.none}>{timelineText.framePanes.truncated}</p>
          ) : (
            <JsonView text={frame.text} label={timelineText.framePanes.parsedMessage} />
          )}
        </div>
      )}
    </div>
  )
}

function EventFacts({ event }: { event: NonNullable<NonNullable<Frame['http']>['event']> }) {
  const facts = [
    ['event', event.name],
    ['event id', event.id],
    ['retry', event.retry === undefined ? undefined : `${event.retry} ms`],
  ] as const
  return facts.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [
          <div key={name}>
            <dt>{name}</dt>
            <dd className="clip" title={value}>
              <SafeText>{value}</SafeText>
            </dd>
          </div>,
        ],
  )
}
