import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { connectServer, disconnectServer, restartServer, showServer } from '../servers/server-actions.ts'
import { restartWord } from '../servers/server-look.ts'
import { explorerText } from './text.ts'

/** Why there is nothing to explore, and what brings it on. */
export function NotConnected({ server }: { server: ServerState }) {
  const name = visibleText(server.name)
  if (server.status === 'connecting') {
    return (
      <EmptyState
        title={explorerText.notConnected.connectingTo(name)}
        actions={
          <Button onClick={() => void disconnectServer(server)}>{explorerText.notConnected.cancel}</Button>
        }
      >
        {server.probe.at(-1) === undefined
          ? explorerText.notConnected.waitingForResponse
          : server.probe.at(-1)?.step}
      </EmptyState>
    )
  }
  if (server.approval !== 'approved') {
    return (
      <EmptyState
        title={
          server.approval === 'changed'
            ? explorerText.notConnected.hasChanged(name)
            : explorerText.notConnected.isNotApprovedYet(name)
        }
        actions={<Button onClick={() => showServer(server.id)}>{explorerText.notConnected.approve}</Button>}
      >
        {explorerText.notConnected.readWhatItWill}{' '}
        {server.transport === 'stdio' ? explorerText.notConnected.run : explorerText.notConnected.send}
        {explorerText.notConnected.thenApproveIt}
      </EmptyState>
    )
  }
  if (server.status === 'failed') {
    return (
      <EmptyState
        title={explorerText.notConnected.is(
          name,
          server.transport === 'stdio' ? 'not running' : 'not connected',
        )}
        actions={
          <>
            <Button icon="restart" onClick={() => void restartServer(server)}>
              {restartWord(server)}
            </Button>
            <Button onClick={() => showServer(server.id)}>{explorerText.notConnected.why}</Button>
          </>
        }
      >
        <SafeText>{server.failure?.title ?? explorerText.notConnected.itFailed}</SafeText>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={explorerText.notConnected.isNotConnected(name)}
      actions={
        <Button icon="plug" onClick={() => void connectServer(server)}>
          {explorerText.notConnected.connect}
        </Button>
      }
    >
      {explorerText.notConnected.emptyState}
    </EmptyState>
  )
}
