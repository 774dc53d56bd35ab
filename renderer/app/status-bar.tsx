import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Icon } from '../controls/icon.tsx'
import { useAppInfo, useCounts, useServer } from '../host/live.ts'
import { stateOf, transportName } from '../servers/server-look.ts'
import { useSelectedServerId } from '../state/selection.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { countText } from '../text/measures.ts'
import styles from './status-bar.module.css'

/** One line about the selected server and about what is kept of its traffic. */
export function StatusBar() {
  const server = useServer(useSelectedServerId())
  const counts = useCounts()
  const info = useAppInfo()
  const look = server === undefined ? undefined : stateOf(server)
  return (
    <footer className={styles.bar} aria-label="Status">
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
          {server.latencyMs !== undefined && (
            <span title="Round trip of the last answered request">
              last answer {durationText(server.latencyMs)}
            </span>
          )}
        </>
      )}
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
