import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { LinkButton } from '../controls/button.tsx'
import { connectServer, showServer } from '../servers/server-actions.ts'
import { restartWord } from '../servers/server-look.ts'
import styles from './explorer.module.css'
import { lastKnownText } from './last-known-text.ts'
import { explorerText } from './text.ts'

/** Stands above what a server listed before its connection ended, with what brings it back. */
export function LastKnown({ server }: { server: ServerState }) {
  const isFailed = server.status === 'failed'
  return (
    <div className={styles.lastKnown}>
      <span className={styles.lastKnownWords} role="status">
        {lastKnownText(server)}
      </span>
      {server.status !== 'connecting' && (
        <LinkButton onClick={() => void connectServer(server)}>
          {isFailed ? restartWord(server) : explorerText.lastKnown.connect}
        </LinkButton>
      )}
      {isFailed && (
        <LinkButton onClick={() => showServer(server.id)}>{explorerText.lastKnown.why}</LinkButton>
      )}
    </div>
  )
}
