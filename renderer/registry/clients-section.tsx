import type { ConnectedClient, RegistryEntry } from '../../server-core/host/contract/registry.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { openAddToClient } from '../install/dialogs.ts'
import { counted, countText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { factsOf, nameOf, TRANSPORTS } from './client-facts.ts'
import { Section } from './section.tsx'
import styles from './side.module.css'
import { secondText } from '../text/times.ts'
import { registryText } from './text.ts'

interface ClientsSectionProps {
  clients: readonly ConnectedClient[]
  /** The entry that is selected. */
  entry: RegistryEntry | undefined
}

/** The connected clients, and the calls of the selected entry. */
export function ClientsSection({ clients, entry }: ClientsSectionProps) {
  return (
    <Section
      title={registryText.clientsSection.connected}
      facts={<span className="count">{countText(clients.length)}</span>}
      end={
        <Button tone="quiet" onClick={() => openAddToClient()}>
          {registryText.clientsSection.addToClient}
        </Button>
      }
    >
      {clients.length === 0 ? (
        <p className={styles.note}>{registryText.clientsSection.emptyState}</p>
      ) : (
        <ul className={styles.peers} aria-label={registryText.clientsSection.connectedClients}>
          {clients.map((client) => (
            <Peer key={client.id} client={client} />
          ))}
        </ul>
      )}
      {entry !== undefined && <Callers entry={entry} />}
    </Section>
  )
}

function Peer({ client }: { client: ConnectedClient }) {
  const { transport, revision, subscriptions } = client
  return (
    <li className={styles.peer}>
      <span className="is-ok">
        <Icon name={client.running > 0 ? 'st-busy' : 'st-on'} />
      </span>
      <span className="clip" title={visibleText(nameOf(client))}>
        <SafeText>{nameOf(client)}</SafeText>
      </span>
      <span className="mono">
        {TRANSPORTS[transport]} <SafeText>{revision}</SafeText>
      </span>
      <span className={styles.sub} title={subscriptions.map(visibleText).join('\n')}>
        {factsOf(client)}
      </span>
    </li>
  )
}

/** Number of calls, failures and the last caller of an entry. */
function Callers({ entry }: { entry: RegistryEntry }) {
  const { shownName, calls, failures, lastCaller, subscriptions } = entry
  const name = visibleText(shownName)
  if (calls === 0 && subscriptions === 0)
    return (
      <p className={styles.note}>
        {registryText.clientsSection.nobodyCalled} {name} {registryText.clientsSection.yet}
      </p>
    )
  return (
    <p className={styles.note}>
      {name} {registryText.clientsSection.wasCalled} {countText(calls)}{' '}
      {calls === 1 ? registryText.clientsSection.time : registryText.clientsSection.times}
      {failures > 0 && `, ${counted(failures, 'failure')}`}
      {lastCaller !== undefined && (
        <>
          {registryText.clientsSection.lastBy}{' '}
          <SafeText>
            {lastCaller.name === '' ? registryText.clientsSection.unnamedClient : lastCaller.name}
          </SafeText>{' '}
          {registryText.clientsSection.at} {secondText(lastCaller.at)}
        </>
      )}
      {subscriptions > 0 && `; ${counted(subscriptions, 'subscription')}`}.
    </p>
  )
}
