import { useState } from 'react'
import type { ExamState, StartExamInput } from '../../server-core/host/contract/conformance.ts'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Icon } from '../controls/icon.tsx'
import { Select } from '../controls/select.tsx'
import { countText, counted } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { ChecksTable } from './checks-table.tsx'
import styles from './exam.module.css'
import { startExam, stopExam } from './conformance-actions.ts'
import { isFailure } from './status-look.ts'
import { conformanceText } from './text.ts'
import { EXAM_STEPS } from './exam-steps.ts'

const { exam: text, matrix } = conformanceText

const REVISIONS = (['2025-11-25', '2026-07-28', '2025-06-18', '2025-03-26', '2024-11-05'] as const).map(
  (value) => ({ value, label: value }),
)
const TRANSPORTS = (['http', 'sse', 'websocket'] as const).map((value) => ({
  value,
  label: matrix.transports[value],
}))

/** Starts the exam server, and stops it. */
export function ExamForm({ exam }: { exam: ExamState | undefined }) {
  const [revision, setRevision] = useState<StartExamInput['revision']>('2025-11-25')
  const [transport, setTransport] = useState<StartExamInput['transport']>('http')
  const isUnderWay = exam !== undefined && exam.phase !== 'ended'
  // HTTP+SSE belongs to 2024-11-05, Streamable HTTP to the revisions after it.
  const isPossible = transport === 'websocket' || (transport === 'sse') === (revision === '2024-11-05')
  return (
    <div className={styles.form}>
      <span className={styles.label}>{text.revision}</span>
      <Select
        label={text.revision}
        options={REVISIONS}
        value={revision}
        onValueChange={setRevision}
        disabled={isUnderWay}
      />
      <span className={styles.label}>{text.transport}</span>
      <Select
        label={text.transport}
        options={TRANSPORTS}
        value={transport}
        onValueChange={setTransport}
        disabled={isUnderWay}
      />
      {!isPossible && <p className={classes('field-error', styles.whole)}>{text.impossible}</p>}
      <div className={classes(styles.buttons, styles.whole)}>
        {isUnderWay ? (
          <Button icon="stop" onClick={() => void stopExam()}>
            {text.stop}
          </Button>
        ) : (
          <Button
            tone="primary"
            icon="run"
            disabled={!isPossible}
            onClick={() => void startExam({ revision, transport })}
          >
            {text.start}
          </Button>
        )}
      </div>
    </div>
  )
}

interface ExamPanelProps {
  exam: ExamState
  selected: string | undefined
  onSelect: (id: string) => void
  onOpen: () => void
}

/** How a client connects, what its user does next, and what the checks say of it so far. */
export function ExamPanel({ exam, selected, onSelect, onOpen }: ExamPanelProps) {
  const { phase, url, client, methods, rows, problem } = exam
  const seen = new Set(methods.map(({ method }) => method))
  const steps = EXAM_STEPS.map((step) => ({
    ...step,
    isDone: step.methods.some((method) => seen.has(method)),
  }))
  const next = steps.find(({ isDone }) => !isDone)
  const shown = rows.filter(({ status }) => status !== 'inconclusive')
  const failed = rows.filter(({ status }) => isFailure(status)).length
  const warned = rows.filter(({ status }) => status === 'warned').length
  return (
    <>
      <Bar>
        <h2>
          {client === undefined ? (
            phase === 'ended' ? (
              text.ended
            ) : (
              text.waiting
            )
          ) : (
            <SafeText>
              {[client.name, client.version].filter((part) => part !== undefined).join(' ')}
            </SafeText>
          )}
        </h2>
        <span className="small t3" role="status">
          {phase === 'connected' || rows.length > 0
            ? text.progress(countText(failed), countText(warned), countText(shown.length))
            : phase === 'ended'
              ? text.nobodyCame
              : text.listening}
        </span>
      </Bar>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {phase !== 'ended' && (
        <dl className={styles.connect}>
          {addresses(url).map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <span className="mono clip grow" title={value}>
                  {value}
                </span>
                <CopyButton tight label={text.copyFor(name)} text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <ol className={styles.steps} aria-label={text.steps}>
        {steps.map(({ id, isDone, say, methods: wanted }) => (
          <li key={id} className={classes(styles.step, id === next?.id && phase !== 'ended' && styles.next)}>
            <span className={isDone ? 'is-ok' : 't3'}>
              <Icon name={isDone ? 'check' : 'st-off'} />
              <span className="vh">{isDone ? text.done : text.open}</span>
            </span>
            <span className="grow">
              {text.stepNames[id]}
              {say !== undefined && <span className={classes('mono', styles.say)}>{say}</span>}
            </span>
            {say !== undefined && <CopyButton tight label={text.copyStep(text.stepNames[id])} text={say} />}
            <span className={classes('mono', 't3', styles.method)}>{wanted[0]}</span>
          </li>
        ))}
      </ol>
      <Bar className={styles.results}>
        <h2>{text.results}</h2>
        <span className="small t3">{counted(shown.length, 'check')}</span>
      </Bar>
      {shown.length === 0 ? (
        <p className={styles.none}>{text.noResults}</p>
      ) : (
        <ChecksTable rows={shown} selected={selected} onSelect={onSelect} onOpen={onOpen} />
      )}
    </>
  )
}

/** The address as each kind of client takes it. */
function addresses(url: string): readonly { readonly name: string; readonly value: string }[] {
  const kind = url.startsWith('ws') ? 'ws' : url.includes('/sse') ? 'sse' : 'http'
  return [
    { name: text.anyClient, value: url },
    ...(kind === 'ws'
      ? []
      : [
          { name: 'Claude Code', value: `claude mcp add --transport ${kind} exam ${url}` },
          { name: 'VS Code', value: `code --add-mcp '${JSON.stringify({ name: 'exam', url })}'` },
        ]),
    { name: text.jsonConfig, value: JSON.stringify({ mcpServers: { exam: { url } } }) },
  ]
}
