import type { Failure, ServerState } from '../../server-core/host/contract/servers.ts'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { useAppInfo } from '../host/live.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { SafeText } from '../text/safe-text.tsx'
import { openEditServer } from './dialogs.ts'
import { EvidenceBox } from './evidence-box.tsx'
import { evidenceOf, failureReport } from './failure-report.ts'
import styles from './panel.module.css'
import { restartServer } from './server-actions.ts'
import { openTab } from '../workbench/tabs-store.ts'
import { restartWord, wantsSignIn } from './server-look.ts'
import { timeText } from '../text/times.ts'
import { serversText } from './text.ts'

/** A failed connection: its cause, its remedy and the peer's output. */
export function FailureCard({ server, failure }: { server: ServerState; failure: Failure }) {
  const version = useAppInfo()?.version ?? ''
  const editable = server.origin !== 'embedded'
  return (
    <>
      <div className={styles.failure} role="alert">
        <p className="t3 small">
          <SafeText>{serversText.failureCard.failed(server.name)}</SafeText>
        </p>
        <h2 className={styles.title}>
          <SafeText>{failure.title}</SafeText>
        </h2>
        <p>
          <SafeText>{failure.explanation}</SafeText>
        </p>
        <p className="t3 small">
          <FailureFacts failure={failure} />
        </p>
        <div className={styles.acts}>
          <Button tone="primary" icon="restart" onClick={() => void restartServer(server)}>
            {restartWord(server)}
          </Button>
          {wantsSignIn(server) && (
            <Button
              icon="key"
              onClick={() => openTab({ kind: 'page', serverId: server.id, page: 'authorization' })}
            >
              {serversText.failureCard.authorize}
            </Button>
          )}
          {editable && (
            <Button onClick={() => openEditServer(server.id)}>
              {server.transport === 'stdio'
                ? serversText.failureCard.editCommand
                : wantsSignIn(server)
                  ? serversText.failureCard.enterAToken
                  : serversText.failureCard.editAddress}
            </Button>
          )}
          <CopyButton
            labelled
            label={serversText.failureCard.copyReport}
            text={() => failureReport(server, failure, version)}
          />
        </div>
      </div>
      {evidenceOf(failure).map((part) => (
        <EvidenceBox key={part.title} evidence={part} />
      ))}
    </>
  )
}

function FailureFacts({ failure }: { failure: Failure }) {
  const facts = [
    timeText(failure.at),
    ...(failure.afterMs === undefined ? [] : [serversText.failureCard.after(durationText(failure.afterMs))]),
    ...(failure.pid === undefined ? [] : [`pid ${failure.pid}`]),
    ...(failure.exitCode === undefined ? [] : [`exit code ${failure.exitCode}`]),
    ...(failure.signal === undefined ? [] : [`signal ${failure.signal}`]),
    ...(failure.httpStatus === undefined ? [] : [`HTTP ${failure.httpStatus}`]),
  ]
  return facts.join(' · ')
}
