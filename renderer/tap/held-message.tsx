import { useEffect, useState } from 'react'
import type { HeldTapMessage, TapState } from '../../server-core/host/contract/taps.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { JsonEditor } from '../json/json-editor.tsx'
import styles from './tap.module.css'
import { tapText } from './text.ts'

const text = tapText.heldMessage
const SECOND_MS = 1_000

/** The messages that a tap holds, one at a time: read it, edit it, and decide. */
export function HeldMessages({ tap }: { tap: TapState }) {
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const { held } = tap
  const at = Math.max(
    0,
    held.findIndex(({ id }) => id === chosen),
  )
  const message = held[at]
  if (message === undefined) return null
  return (
    <section
      className={styles.held}
      aria-label={text.title(nameOf(message))}
      data-region="held"
      tabIndex={-1}
    >
      <HeldMessage
        key={message.id}
        tapId={tap.id}
        message={message}
        position={held.length > 1 ? text.position(at + 1, held.length) : ''}
        count={held.length}
        onNext={() => setChosen(held[(at + 1) % held.length]?.id)}
      />
    </section>
  )
}

interface HeldMessageProps {
  tapId: string
  message: HeldTapMessage
  position: string
  count: number
  onNext: () => void
}

function HeldMessage({ tapId, message, position, count, onNext }: HeldMessageProps) {
  const original = pretty(message.text)
  const [edited, setEdited] = useState(original)
  const [busy, setBusy] = useState(false)
  const isValid = isJson(edited)
  const isEdited = edited !== original
  const send = (outcome: 'forward' | 'drop' | 'answer', body?: string): void => {
    setBusy(true)
    api.taps
      .settle({ id: tapId, message: message.id, outcome, ...(body !== undefined && { text: body }) })
      .catch((error: unknown) => {
        setBusy(false)
        showFailure(text.couldNotSettle, error)
      })
  }
  const forward = (): void => send('forward', isEdited ? edited : undefined)
  const way = message.direction === 'to-server' ? text.toServer : text.toClient
  return (
    <>
      <Bar
        className={styles.heldBar}
        end={
          <span className={styles.count}>
            {text.goesOn} <Countdown until={message.until} />
          </span>
        }
      >
        <span className="is-warn">
          <Icon name="pause" />
        </span>
        <h2 className="clip">{text.title(visibleText(nameOf(message)))}</h2>
        <span className="clip t3">
          {visibleText(text.facts(message.ruleId, way))} {position}
        </span>
      </Bar>
      <div className={styles.editor}>
        <JsonEditor
          label={text.message}
          text={edited}
          onTextChange={setEdited}
          onRun={isValid ? forward : undefined}
        />
      </div>
      <div className={styles.acts}>
        <Button tone="primary" disabled={busy || !isValid} onClick={forward}>
          {isEdited ? text.forwardEdited : text.forward}
        </Button>
        <Button disabled={busy || !isValid} title={text.answerHint} onClick={() => send('answer', edited)}>
          {text.answer}
        </Button>
        <Button disabled={busy} onClick={() => send('drop')}>
          {text.drop}
        </Button>
        <span className={isValid ? 'is-ok' : 'is-error'}>{isValid ? text.valid : text.invalid}</span>
        <span className={styles.end}>
          {count > 1 && (
            <>
              <Button tone="quiet" onClick={() => void api.taps.release({ id: tapId })}>
                {text.all(count)}
              </Button>
              <Button tone="quiet" onClick={onNext}>
                {text.next}
              </Button>
            </>
          )}
        </span>
      </div>
    </>
  )
}

/** Minutes and seconds until a time. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / SECOND_MS))
  return (
    <span className={styles.mono} role="timer">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  )
}

function nameOf({ method, target, kind }: HeldTapMessage): string {
  return [method ?? kind, target].filter((each) => each !== undefined).join(' ')
}

/** JSON with line breaks. Numbers that JavaScript would change leave the text as it came. */
function pretty(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    return JSON.stringify(JSON.parse(JSON.stringify(value))) === json
      ? JSON.stringify(value, undefined, 2)
      : json
  } catch {
    return json
  }
}

function isJson(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
