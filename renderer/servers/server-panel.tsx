import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { Button } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { EmptyState } from '../controls/empty-state.tsx'
import { StateMark } from '../controls/state-mark.tsx'
import { useServer } from '../host/live.ts'
import { SafeText } from '../text/safe-text.tsx'
import { ApprovalView } from './approval-view.tsx'
import { openEditServer } from './dialogs.ts'
import { EmbeddedPanel } from './embedded-panel.tsx'
import { FailureCard } from './failure-card.tsx'
import styles from './panel.module.css'
import { connectServer, disconnectServer, removeServer, restartServer } from './server-actions.ts'
import { ServerFacts } from './server-facts.tsx'
import { restartWord, stateOf } from './server-look.ts'
import { WaitingCard } from './waiting-card.tsx'
import { serversText } from './text.ts'

/** The page of a server: its approval, its failure or its details. */
export function ServerPanel({ serverId }: { serverId: string }) {
  const server = useServer(serverId)
  if (server === undefined) {
    return (
      <EmptyState title={serversText.serverPanel.thisServerWasRemoved}>
        {serversText.serverPanel.removedNote}
      </EmptyState>
    )
  }
  return (
    <div className={styles.panel}>
      <div className={styles.inner}>
        <Body server={server} />
      </div>
    </div>
  )
}

function Body({ server }: { server: ServerState }) {
  const idle = server.status === 'disconnected' || server.status === 'failed'
  if (idle && server.approval !== 'approved') return <ApprovalView server={server} />
  return (
    <>
      {server.status === 'failed' && server.failure !== undefined ? (
        <FailureCard server={server} failure={server.failure} />
      ) : (
        <Head server={server} />
      )}
      {server.status === 'connecting' && server.waiting !== undefined && (
        <WaitingCard server={server} waiting={server.waiting} />
      )}
      {server.origin === 'embedded' && <EmbeddedPanel />}
      <ServerFacts server={server} />
    </>
  )
}

function Head({ server }: { server: ServerState }) {
  const look = stateOf(server)
  return (
    <div className={styles.head}>
      <StateMark look={look}>{null}</StateMark>
      <h2 className={styles.title}>
        <SafeText>{server.name}</SafeText>
      </h2>
      <span className="t2">{look.word}</span>
      <div className={classes(styles.acts, styles.end)}>
        <Actions server={server} />
      </div>
    </div>
  )
}

function Actions({ server }: { server: ServerState }) {
  const own = server.origin !== 'embedded'
  return (
    <>
      {server.status === 'disconnected' && (
        <Button tone="primary" icon="plug" onClick={() => void connectServer(server)}>
          {serversText.serverPanel.connect}
        </Button>
      )}
      {server.status === 'connected' && (
        <Button icon="restart" onClick={() => void restartServer(server)}>
          {restartWord(server)}
        </Button>
      )}
      {(server.status === 'connected' || server.status === 'connecting') && (
        <Button onClick={() => void disconnectServer(server)}>{serversText.serverPanel.disconnect}</Button>
      )}
      {own && <Button onClick={() => openEditServer(server.id)}>{serversText.serverPanel.edit}</Button>}
      {own && (
        <Button tone="quiet" onClick={() => void removeServer(server)}>
          {serversText.serverPanel.remove}
        </Button>
      )}
    </>
  )
}
