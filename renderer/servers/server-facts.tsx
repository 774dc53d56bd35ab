import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './panel.module.css'
import { Reaching } from './reaching.tsx'
import { transportName } from './server-look.ts'

/** `{ name, version }` of `serverInfo` as one text; it came from the peer, so anything may be in it. */
export function versionOf(info: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const version = info?.['version']
  return typeof version === 'string' ? version : undefined
}

/** What is known of a server: how it is reached, what it said of itself, how the revision was found. */
export function ServerFacts({ server }: { server: ServerState }) {
  return (
    <>
      <dl className={styles.facts}>
        <dt>{server.transport === 'stdio' ? 'command' : 'address'}</dt>
        <dd>
          <SafeText>{server.summary}</SafeText>
        </dd>
        {server.transport !== 'auto' && (
          <>
            <dt>transport</dt>
            <dd>{transportName(server)}</dd>
          </>
        )}
        {server.revision !== undefined && (
          <>
            <dt>revision</dt>
            <dd>{server.revision}</dd>
          </>
        )}
        {server.pid !== undefined && server.status !== 'failed' && (
          <>
            <dt>pid</dt>
            <dd>{server.pid}</dd>
          </>
        )}
        {server.latencyMs !== undefined && (
          <>
            <dt>last answer</dt>
            <dd>{durationText(server.latencyMs)}</dd>
          </>
        )}
        {server.serverInfo !== undefined && (
          <>
            <dt>serverInfo</dt>
            <dd>
              <pre className={styles.json}>
                <SafeText>{JSON.stringify(server.serverInfo, null, 2)}</SafeText>
              </pre>
            </dd>
          </>
        )}
        {server.capabilities !== undefined && (
          <>
            <dt>capabilities</dt>
            <dd>
              <pre className={styles.json}>
                <SafeText>{JSON.stringify(server.capabilities, null, 2)}</SafeText>
              </pre>
            </dd>
          </>
        )}
        {server.instructions !== undefined && (
          <>
            <dt>instructions</dt>
            <dd className={styles.prose}>
              <SafeText>{server.instructions}</SafeText>
            </dd>
          </>
        )}
      </dl>
      <Reaching server={server} />
    </>
  )
}
