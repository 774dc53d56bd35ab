import { durationText } from '../../server-core/protocol/duration-text.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { StateMark } from '../controls/state-mark.tsx'
import { useLatency, useServer } from '../host/live.ts'
import { latencyTitle, stateOf, transportName } from '../servers/server-look.ts'
import { useSelectedServerId } from '../state/selection.ts'
import styles from './status-bar.module.css'
import { appText } from './text.ts'

function Latency({ serverId }: { serverId: string }) {
  const latency = useLatency(serverId)
  if (latency === undefined) return null
  return (
    <span className={styles.optional} title={latencyTitle(latency)}>
      p50 {durationText(latency.p50Ms)}, p95 {durationText(latency.p95Ms)}
    </span>
  )
}

/** The state of the selected server. */
export function ServerStatus() {
  const server = useServer(useSelectedServerId())
  const look = server === undefined ? undefined : stateOf(server)
  return (
    <>
      {server !== undefined && look !== undefined && (
        <>
          <span className="row">
            <StateMark look={look}>{null}</StateMark>
            <b className="clip">{visibleText(server.name)}</b> {look.word}
          </span>
          {server.revision !== undefined && <span className="mono micro">{server.revision}</span>}
          <span>
            {transportName(server)}
            {server.pid !== undefined && server.status !== 'failed' && appText.serverStatus.pid(server.pid)}
          </span>
          <Latency serverId={server.id} />
        </>
      )}
    </>
  )
}
