import { useObservable } from '../state/observable.ts'
import { live } from '../host/live.ts'
import { Icon } from '../controls/icon.tsx'
import { counted } from '../text/measures.ts'
import { TRANSPORTS } from './client-facts.ts'
import { useRegistry } from './use-registry.ts'
import { registryText } from './text.ts'

/** What the status bar says of the server that Patchbay itself hosts. */
export function RegistryStatus() {
  const state = useRegistry()
  const embedded = useObservable(live.parts.embedded)
  if (state === undefined) return null
  const { clients, toolHost, serving, trust, opening } = state
  const used = [...new Set(clients.map(({ transport }) => TRANSPORTS[transport]))]
  const isUp = serving && !opening && trust === 'trusted' && embedded?.status === 'listening'
  return (
    <>
      <span className="row">
        <span className={isUp ? 'is-ok' : 'is-warn'}>
          <Icon name={isUp ? 'st-on' : opening ? 'st-busy' : 'st-off'} />
        </span>
        <b>{registryText.registryStatus.thisApp}</b>{' '}
        {opening
          ? registryText.registryStatus.opening
          : trust === 'asked'
            ? registryText.registryStatus.waitsForTrust
            : serving
              ? registryText.registryStatus.serving
              : registryText.registryStatus.notServing}
      </span>
      <span>
        {embedded?.address === undefined
          ? registryText.registryStatus.noAddress
          : registryText.registryStatus.listeningTitle(hostOf(embedded.address))}
      </span>
      <span
        title={
          used.length === 0
            ? registryText.registryStatus.noClientsConnected
            : registryText.registryStatus.transports(used.join(', '))
        }
      >
        {counted(clients.length, 'client')}
      </span>
      <span>
        {toolHost.pid === undefined
          ? registryText.registryStatus.workerIdle
          : registryText.registryStatus.workerPid(toolHost.pid)}
        {toolHost.spareReady && registryText.registryStatus.spareReady}
      </span>
    </>
  )
}

/** `127.0.0.1:4040` of an address. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}
