import { useId } from 'react'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { Segmented } from '../controls/segmented.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { REVISION_CHOICES, TRANSPORT_CHOICES } from './choices.ts'
import styles from './panel.module.css'
import { pinServer } from './server-actions.ts'
import { serversText } from './text.ts'

/** The choice of transport and revision, and the steps of the negotiation. */
export function Reaching({ server }: { server: ServerState }) {
  const title = useId()
  const { transport, protocol } = server.chosen
  const isOwn = server.origin === 'embedded'
  const isPinned = protocol !== 'auto' || (!isOwn && (transport === 'http' || transport === 'sse'))
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h3 id={title}>{serversText.reaching.protocol}</h3>
      <div className={styles.choices}>
        {(transport === 'auto' || transport === 'http' || transport === 'sse') && !isOwn && (
          <>
            <span aria-hidden="true">{serversText.reaching.transport}</span>
            <Segmented
              label={serversText.reaching.transportLabel}
              options={TRANSPORT_CHOICES}
              value={transport}
              onValueChange={(next) => void pinServer(server, { transport: next })}
            />
          </>
        )}
        <span aria-hidden="true">{serversText.reaching.revision}</span>
        <Segmented
          label={serversText.reaching.revisionLabel}
          options={REVISION_CHOICES}
          value={protocol}
          onValueChange={(next) => void pinServer(server, { protocol: next })}
        />
      </div>
      <p className={styles.hint}>
        {isPinned ? serversText.reaching.requiredNote : serversText.reaching.revisionNote}
      </p>
      {server.probe.length > 0 && (
        <table className={styles.steps} aria-label={serversText.reaching.connectionSteps}>
          <tbody>
            {server.probe.map((step, place) => (
              <tr key={place}>
                <td>
                  <SafeText>{step.step}</SafeText>
                </td>
                <td>
                  <SafeText>{step.outcome}</SafeText>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
