import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { connectServer, disconnectServer, restartServer, showServer } from '../servers/server-actions.ts'
import { restartWord } from '../servers/server-look.ts'

/** Why there is nothing to explore, and what brings it on. */
export function NotConnected({ server }: { server: ServerState }) {
  const name = visibleText(server.name)
  if (server.status === 'connecting') {
    return (
      <EmptyState
        title={`Connecting to ${name}…`}
        actions={<Button onClick={() => void disconnectServer(server)}>Cancel</Button>}
      >
        {server.probe.at(-1) === undefined ? 'Waiting for its first answer.' : server.probe.at(-1)?.step}
      </EmptyState>
    )
  }
  if (server.approval !== 'approved') {
    return (
      <EmptyState
        title={server.approval === 'changed' ? `${name} has changed` : `${name} is not approved yet`}
        actions={<Button onClick={() => showServer(server.id)}>Approve…</Button>}
      >
        Read what it will {server.transport === 'stdio' ? 'run' : 'send'}, then approve it.
      </EmptyState>
    )
  }
  if (server.status === 'failed') {
    return (
      <EmptyState
        title={`${name} is ${server.transport === 'stdio' ? 'not running' : 'not connected'}`}
        actions={
          <>
            <Button icon="restart" onClick={() => void restartServer(server)}>
              {restartWord(server)}
            </Button>
            <Button onClick={() => showServer(server.id)}>Why…</Button>
          </>
        }
      >
        <SafeText>{server.failure?.title ?? 'It failed.'}</SafeText>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={`${name} is not connected`}
      actions={
        <Button icon="plug" onClick={() => void connectServer(server)}>
          Connect
        </Button>
      }
    >
      What it offers is listed here.
    </EmptyState>
  )
}
