import type {
  CallPermissionChoice,
  CheckDetail,
  RunView,
} from '../../server-core/host/contract/conformance.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { Button } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { StateMark } from '../controls/state-mark.tsx'
import { useShortcut } from '../controls/use-shortcut.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './detail.module.css'
import { expectFailure, runAgain } from './conformance-actions.ts'
import { FrameList } from './frame-list.tsx'
import { isFailure, lookOf } from './status-look.ts'
import { conformanceText } from './text.ts'
import { isUnderWay, useCheck } from './use-run.ts'
import type { CellName } from './view-state.ts'

const { detail: text, status: words, matrix } = conformanceText

interface CheckViewProps {
  run: RunView
  cell: CellName
  id: string
  permission: CallPermissionChoice | undefined
}

/** One check in one cell: what was expected and what came, the clause, the frames and the last runs. */
export function CheckView({ run, cell, id, permission }: CheckViewProps) {
  const check = useCheck(run, cell, id)
  const isBusy = isUnderWay(run)
  const again = (): void => {
    if (!isBusy) void runAgain(run, permission, { type: 'check', ...cell, id })
  }
  useShortcut('mod+enter', again)
  if (check === undefined) return null
  const isExpected = check.baseline === 'known' || check.baseline === 'fixed'
  return (
    <div className={styles.detail}>
      <CheckBody check={check} />
      <div className={styles.actions}>
        <Button tone="primary" icon="restart" keys="mod+enter" disabled={isBusy} onClick={again}>
          {text.rerun}
        </Button>
        <CopyButton labelled label={text.copyCommand} text={check.repeat} disabled={check.repeat === ''} />
        {(isFailure(check.status) || isExpected) && (
          <Button
            tone="quiet"
            className={styles.expect}
            onClick={() => void expectFailure(run, cell, id, !isExpected)}
          >
            {isExpected ? text.expectNoFailure : text.expectFailure}
          </Button>
        )}
      </div>
    </div>
  )
}

/** What a check found, its clause, its frames and facts. */
export function CheckBody({ check }: { check: CheckDetail }) {
  return (
    <div className={styles.body}>
      <Head check={check} />
      <Clauses check={check} />
      {check.frames.length > 0 && <FrameList check={check} />}
      <Facts check={check} />
    </div>
  )
}

function Head({ check }: { check: CheckDetail }) {
  const { findings, reason, durationMs, severity, id } = check
  return (
    <div className={styles.head}>
      <div className="row small">
        <StateMark className="row" look={lookOf(check)} />
        <span className="t3">
          {[text.severity[severity], durationMs === undefined ? undefined : durationText(durationMs)]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </span>
      </div>
      <h1>{check.title}</h1>
      <p className={classes('mono', 't3', styles.id)}>{id}</p>
      {findings.map(({ expected, actual, member }, place) => (
        <dl key={place} className={styles.compared}>
          <dt>{text.expected}</dt>
          <dd className="is-ok">
            <SafeText>{expected}</SafeText>
          </dd>
          <dt>{text.actual}</dt>
          <dd className="is-error">
            <SafeText>{actual}</SafeText>
          </dd>
          {member !== undefined && (
            <>
              <dt>{text.at}</dt>
              <dd>
                <SafeText>{member}</SafeText>
              </dd>
            </>
          )}
        </dl>
      ))}
      {reason !== undefined && (
        <dl className={styles.compared}>
          <dt>{text.why}</dt>
          <dd className={styles.reason}>
            <SafeText>{reason}</SafeText>
          </dd>
        </dl>
      )}
    </div>
  )
}

/** The clauses: those that a finding names, or all of the check. */
function Clauses({ check: { clauses } }: { check: CheckDetail }) {
  const broken = clauses.filter(({ isBroken }) => isBroken)
  return (
    <section className={styles.clauses} aria-label={text.specification}>
      {(broken.length > 0 ? broken : clauses).map(({ id, level, text: statement, section, url }) => (
        <div key={id} className={styles.clause}>
          <div className="row small">
            <span className="t2 clip" title={url}>
              {section}
            </span>
            <span className={styles.copy}>
              <CopyButton tight label={text.copyAddress} text={url} />
            </span>
          </div>
          <blockquote>
            <b>{level}</b> {statement}
          </blockquote>
          <p className={classes('small', 't3', styles.address)}>{url}</p>
        </div>
      ))}
    </section>
  )
}

function Facts({ check }: { check: CheckDetail }) {
  const { alsoIn, history, repeat, probe, pass, frames, status, page } = check
  return (
    <dl className={styles.facts}>
      {alsoIn.length > 0 && (
        <>
          <dt>{text.alsoIn}</dt>
          <dd>
            {alsoIn
              .map(({ revision, transport }) => `${revision}, ${matrix.transports[transport]}`)
              .join('; ')}
          </dd>
        </>
      )}
      {history.length > 0 && (
        <>
          <dt>{text.lastRuns}</dt>
          <dd className={styles.history}>
            <ol>
              {history.map(({ number, status: was }) => (
                <li
                  key={number}
                  className={classes(
                    isFailure(was) ? styles.failed : was === 'warned' ? styles.warned : undefined,
                    was === 'passed' && styles.passed,
                  )}
                  title={text.runStatus(number, words[was])}
                >
                  <span className="vh">{text.runStatus(number, words[was])}</span>
                </li>
              ))}
            </ol>
          </dd>
        </>
      )}
      <dt>{text.examined}</dt>
      <dd>{probe}</dd>
      <dt>{text.passes}</dt>
      <dd>{pass}</dd>
      {frames.length === 0 && status === 'passed' && (
        <>
          <dt>{text.frames}</dt>
          <dd className="t3">{text.noFrames}</dd>
        </>
      )}
      <dt>{text.page}</dt>
      <dd className={styles.page}>
        <span className={styles.address}>{page}</span>
        <CopyButton tight label={text.copyPage} text={page} />
      </dd>
      {repeat !== '' && (
        <>
          <dt>{text.repeat}</dt>
          <dd className={classes('mono', styles.command)}>
            <SafeText>{repeat}</SafeText>
          </dd>
        </>
      )}
    </dl>
  )
}
