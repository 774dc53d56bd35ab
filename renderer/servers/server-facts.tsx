import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { useLatency } from '../host/live.ts'
import { counted } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './panel.module.css'
import { Reaching } from './reaching.tsx'
import { latencyTitle, transportName } from './server-look.ts'
import { serversText } from './text.ts'

/** Returns the version in `serverInfo`, which is unvalidated data of the peer. */
export function versionOf(info: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const version = info?.['version']
  return typeof version === 'string' ? version : undefined
}

/** Target, transport, revision and latency of a server, and what it reports about itself. */
export function ServerFacts({ server }: { server: ServerState }) {
  const latency = useLatency(server.id)
  return (
    <>
      <dl className={styles.facts}>
        <dt>
          {server.transport === 'stdio' ? serversText.serverFacts.command : serversText.serverFacts.address}
        </dt>
        <dd>
          <SafeText>{server.summary}</SafeText>
        </dd>
        {server.transport !== 'auto' && (
          <>
            <dt>{serversText.serverFacts.transport}</dt>
            <dd>{transportName(server)}</dd>
          </>
        )}
        {server.revision !== undefined && (
          <>
            <dt>{serversText.serverFacts.revision}</dt>
            <dd>{server.revision}</dd>
          </>
        )}
        {server.pid !== undefined && server.status !== 'failed' && (
          <>
            <dt>{serversText.serverFacts.pid}</dt>
            <dd>{server.pid}</dd>
          </>
        )}
        {latency !== undefined && (
          <>
            <dt>{serversText.serverFacts.latency}</dt>
            <dd title={latencyTitle(latency)}>
              p50 {durationText(latency.p50Ms)}, p95 {durationText(latency.p95Ms)}{' '}
              {serversText.serverFacts.ofText} {counted(latency.count, 'call')}
            </dd>
          </>
        )}
      </dl>
      <Reaching server={server} />
      <PeerFacts server={server} />
    </>
  )
}

/** `serverInfo`, `capabilities` and `instructions` as received. */
function PeerFacts({ server }: { server: ServerState }) {
  const { serverInfo, capabilities, instructions } = server
  if (serverInfo === undefined && capabilities === undefined && instructions === undefined) return null
  return (
    <dl className={styles.facts}>
      {serverInfo !== undefined && (
        <>
          <dt>{serversText.serverFacts.serverinfo}</dt>
          <dd>
            <pre className={styles.json}>
              <SafeText>{JSON.stringify(serverInfo, null, 2)}</SafeText>
            </pre>
          </dd>
        </>
      )}
      {capabilities !== undefined && (
        <>
          <dt>{serversText.serverFacts.capabilities}</dt>
          <dd>
            <pre className={styles.json}>
              <SafeText>{JSON.stringify(capabilities, null, 2)}</SafeText>
            </pre>
          </dd>
        </>
      )}
      {instructions !== undefined && (
        <>
          <dt>{serversText.serverFacts.instructions}</dt>
          <dd className={styles.prose}>
            <SafeText>{instructions}</SafeText>
          </dd>
        </>
      )}
    </dl>
  )
}
