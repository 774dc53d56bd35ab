import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { EvidenceBox } from './evidence-box.tsx'
import { evidenceOf } from './failure-report.ts'
import styles from './panel.module.css'
import { timeText } from '../text/times.ts'
import { serversText } from './text.ts'

interface WaitingCardProps {
  server: ServerState
  waiting: NonNullable<ServerState['waiting']>
}

/** A server that has not responded yet, with its output so far. It may only be slow: nothing is cancelled. */
export function WaitingCard({ server, waiting }: WaitingCardProps) {
  return (
    <>
      <section
        className={styles.section}
        role="status"
        aria-label={serversText.waitingCard.waitingForAResponse}
      >
        <h3>
          {serversText.waitingCard.noResponseSince} {timeText(waiting.since)}
        </h3>
        <p>{meaningOf(server, waiting)}</p>
      </section>
      {evidenceOf(waiting).map((part) => (
        <EvidenceBox key={part.title} evidence={part} />
      ))}
    </>
  )
}

function meaningOf({ transport }: ServerState, { strayOutput }: WaitingCardProps['waiting']): string {
  if (strayOutput !== undefined) {
    return (
      'stdout contains text that is not an MCP message: probably another program, or a log on stdout. ' +
      serversText.waitingCard.checkCommand
    )
  }
  return transport === 'stdio' ? serversText.waitingCard.processSilent : serversText.waitingCard.serverSilent
}
