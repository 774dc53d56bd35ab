import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Icon } from '../controls/icon.tsx'
import { useAppInfo, useCounts, useLatency, useServer } from '../host/live.ts'
import { ActiveFaults } from '../faults/active-faults.tsx'
import { RegistryStatus } from '../registry/registry-status.tsx'
import { latencyTitle, stateOf, transportName } from '../servers/server-look.ts'
import { usePage } from '../state/page.ts'
import { useSelectedServerId } from '../state/selection.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { countText } from '../text/measures.ts'
import styles from './status-bar.module.css'

/** One line about the server that the room is about, and about what is kept of all traffic. */
export function StatusBar() {
  const page = usePage()
  const counts = useCounts()
  const info = useAppInfo()
  return (
    <footer className={styles.bar} aria-label="Status">
      {page === 'registry' ? <RegistryStatus /> : <ServerStatus />}
      <ActiveFaults />
      <span className={styles.end}>
        {info !== undefined && <span className={styles.optional}>Patchbay {info.version}</span>}
        <span>{countText(counts.frames)} frames</span>
        <span
          className={counts.dropped > 0 ? 'is-warn' : undefined}
          title="Frames that are no longer kept because a bound was reached"
        >
          dropped {countText(counts.dropped)}
        </span>
      </span>
    </footer>
  )
}

function Latency({ serverId }: { serverId: string }) {
  const latency = useLatency(serverId)
  if (latency === undefined) return null
  return (
    <span className={styles.optional} title={latencyTitle(latency)}>
      p50 {durationText(latency.p50Ms)}, p95 {durationText(latency.p95Ms)}
    </span>
  )
}

function ServerStatus() {
  const server = useServer(useSelectedServerId())
  const look = server === undefined ? undefined : stateOf(server)
  return (
    <>
      {server !== undefined && look !== undefined && (
        <>
          <span className="row">
            <span className={look.tone}>
              <Icon name={look.icon} />
            </span>
            <b className="clip">{visibleText(server.name)}</b> {look.word}
          </span>
          {server.revision !== undefined && <span className="mono micro">{server.revision}</span>}
          <span>
            {transportName(server)}
            {server.pid !== undefined && server.status !== 'failed' && `, pid ${server.pid}`}
          </span>
          <Latency serverId={server.id} />
        </>
      )}
    </>
  )
}
