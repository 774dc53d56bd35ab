import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Exchange, FrameView as Frame } from '../../server-core/host/contract/traffic.ts'
import { openComposer } from '../composer/open-composer.ts'
import { sendAgain } from '../composer/send-again.ts'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { Icon } from '../controls/icon.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { showFailure, showToast } from '../controls/toast.tsx'
import { onOneLine } from '../composer/typed-bytes.ts'
import { indexJson } from '../json/json-index.ts'
import { printJson } from '../json/print-json.ts'
import { parseExact } from '../../server-core/protocol/exact-json.ts'
import { api, query } from '../host/api.ts'
import { bytesText, counted, countText } from '../text/measures.ts'
import { frameMark, frameName } from './frame-facts.ts'
import { FramePanes } from './frame-panes.tsx'
import styles from './frame-view.module.css'
import { useOneAsked } from './use-one-asked.ts'
import { timeText } from '../text/times.ts'
import { timelineText } from './text.ts'

/** Characters; longer text is composed as it came. */
const MAX_PRINTED = 200_000

interface FrameViewProps {
  exchange: Exchange
  /** The recording that has the frames, if they are not those of the timeline. Nothing is sent from it. */
  recording?: string | undefined
  onClose: () => void
}

/** The frames of an exchange one by one: HTTP facts, the bytes as they were received, and the parsed view. */
export function FrameView({ exchange, recording, onClose }: FrameViewProps) {
  const { frames } = exchange
  // Until a frame is chosen the newest is shown: what the exchange has come to.
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const [isWhole, setWhole] = useState(false)
  const index = chosen === undefined ? frames.length - 1 : Math.min(chosen, frames.length - 1)
  const { asked, follow } = useOneAsked({ seq: frames[index] ?? 0, isWhole })
  const fetched = useQuery({
    ...queryOf(asked.seq, asked.isWhole, recording),
    placeholderData: keepPreviousData,
  })
  follow(fetched.isFetching)
  // Until the frame that is asked for is here the one before it stays, with all that can be done with it.
  const frame = fetched.data?.frames[0]
  const seq = frame?.seq ?? asked.seq

  const choose = (next: number): void => {
    setChosen(Math.max(0, Math.min(frames.length - 1, next)))
    setWhole(false)
  }

  const title =
    frame === undefined ? timelineText.frameView.frame(countText(seq)) : frameName(frame, exchange)
  return (
    <section
      className={styles.view}
      aria-label={timelineText.frameView.frameTitle}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <Bar
        className={styles.bar}
        end={
          <>
            {frames.length > 1 && (
              <span
                className={styles.steps}
                role="group"
                aria-label={timelineText.frameView.framesOfThisExchange}
              >
                <IconButton
                  icon="chev-r"
                  className={styles.back}
                  label={timelineText.frameView.frameBefore}
                  disabled={index === 0}
                  onClick={() => choose(index - 1)}
                />
                <span className="small t2" role="status">
                  {countText(index + 1)} {timelineText.frameView.ofText} {countText(frames.length)}
                </span>
                <IconButton
                  icon="chev-r"
                  label={timelineText.frameView.frameAfter}
                  disabled={index === frames.length - 1}
                  onClick={() => choose(index + 1)}
                />
              </span>
            )}
            {frame !== undefined && recording === undefined && canCompose(frame, exchange) && (
              <ComposeButtons frame={frame} serverId={exchange.serverId} />
            )}
            {frame !== undefined && (
              <CopyButton
                labelled
                label={timelineText.frameView.copyBytes}
                text={() => wholeText(frame, recording)}
              />
            )}
            <IconButton
              icon="close"
              label={timelineText.frameView.closeFrames}
              keys="esc"
              onClick={onClose}
            />
          </>
        }
      >
        {frame !== undefined && (
          <span className={frameMark(frame, exchange).tone}>
            <Icon name={frameMark(frame, exchange).icon} />
          </span>
        )}
        <h2>
          {timelineText.frameView.frameTitle} {countText(seq)}
        </h2>
        {frame !== undefined && (
          <span className="small t2 clip">
            {title}, {exchange.serverName}, {timeText(frame.at)}, {bytesText(frame.bytes)}
            {frame.lossy && timelineText.frameView.invalidUtf8}
          </span>
        )}
      </Bar>
      {fetched.isError && (
        <EmptyState title={timelineText.frameView.loadFailed}>{fetched.error.message}</EmptyState>
      )}
      {fetched.data !== undefined && !fetched.isPlaceholderData && frame === undefined && (
        <EmptyState title={timelineText.frameView.droppedFromMemory}>
          {timelineText.frameView.dropped} {counted(exchange.bytes, 'byte')}{' '}
          {timelineText.frameView.passedInThisExchange}
        </EmptyState>
      )}
      {frame !== undefined && <FramePanes frame={frame} onShowAll={() => setWhole(true)} />}
    </section>
  )
}

/** A message between our client and a server, or invalid bytes, can be sent to it. */
function canCompose({ kind }: Frame, { side }: Exchange): boolean {
  return side === 'client' && (kind === 'message' || kind === 'invalid')
}

function ComposeButtons({ frame, serverId }: { frame: Frame; serverId: string }) {
  const withText = async (action: (text: string) => Promise<void> | void): Promise<void> => {
    try {
      await action(await wholeText(frame))
      if (frame.redacted !== true) return
      showToast({
        title: timelineText.frameView.secretsMasked,
        detail: timelineText.frameView.replaceRedacted,
        tone: 'warn',
      })
    } catch (error) {
      showFailure(timelineText.frameView.loadFailed, error)
    }
  }
  return (
    <>
      {frame.direction === 'sent' && (
        <Button tone="quiet" onClick={() => void withText((text) => sendAgain(serverId, text))}>
          {timelineText.frameView.sendAgain}
        </Button>
      )}
      <Button tone="quiet" onClick={() => void withText((text) => openComposer(serverId, asRead(text)))}>
        {timelineText.frameView.editAndSend}
      </Button>
    </>
  )
}

/** Laid out for reading, if it is JSON without anything that printing would change. */
function asRead(text: string): string {
  if (!indexJson(text).ok || text.length > MAX_PRINTED) return text
  const printed = printJson(parseExact(text, 'text'))
  return onOneLine(printed).replaceAll(/\s/g, '') === text.replaceAll(/\s/g, '') ? printed : text
}

function queryOf(seq: number, whole: boolean, recording: string | undefined) {
  return {
    ...(recording === undefined
      ? query.traffic.frames.queryOptions({ input: { seqs: [seq], whole } })
      : query.recordings.frames.queryOptions({ input: { id: recording, numbers: [seq], whole } })),
    // Whole frames may be long; frames out of sight are fetched again.
    gcTime: whole ? 0 : 60_000,
  }
}

async function wholeText(frame: Frame, recording?: string): Promise<string> {
  if (!frame.truncated) return frame.text
  const { frames } =
    recording === undefined
      ? await api.traffic.frames({ seqs: [frame.seq], whole: true })
      : await api.recordings.frames({ id: recording, numbers: [frame.seq], whole: true })
  const [whole] = frames
  if (whole === undefined) throw new Error('the frame was dropped from memory')
  return whole.text
}
