import { useId } from 'react'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { Segmented } from '../controls/segmented.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { REVISION_CHOICES, TRANSPORT_CHOICES } from './choices.ts'
import styles from './panel.module.css'
import { pinServer } from './server-actions.ts'

/** The choice of transport and revision, and the steps of the negotiation. */
export function Reaching({ server }: { server: ServerState }) {
  const title = useId()
  const { transport, protocol } = server.chosen
  const isOwn = server.origin === 'embedded'
  const isPinned = protocol !== 'auto' || (!isOwn && (transport === 'http' || transport === 'sse'))
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h3 id={title}>Protocol</h3>
      <div className={styles.choices}>
        {(transport === 'auto' || transport === 'http' || transport === 'sse') && !isOwn && (
          <>
            <span aria-hidden="true">transport</span>
            <Segmented
              label="Transport"
              options={TRANSPORT_CHOICES}
              value={transport}
              onValueChange={(next) => void pinServer(server, { transport: next })}
            />
          </>
        )}
        <span aria-hidden="true">revision</span>
        <Segmented
          label="Revision"
          options={REVISION_CHOICES}
          value={protocol}
          onValueChange={(next) => void pinServer(server, { protocol: next })}
        />
      </div>
      <p className={styles.hint}>
        {isPinned
          ? 'What is pinned is insisted on: nothing else is tried.'
          : 'Automatic negotiates the newest revision both sides support. Choosing one reconnects with it.'}
      </p>
      {server.probe.length > 0 && (
        <table className={styles.steps} aria-label="Steps of connecting">
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
