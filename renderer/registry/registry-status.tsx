import { useObservable } from '../state/observable.ts'
import { live } from '../host/live.ts'
import { Icon } from '../controls/icon.tsx'
import { counted } from '../text/measures.ts'
import { TRANSPORTS } from './client-facts.ts'
import { useRegistry } from './use-registry.ts'

/** What the status bar says of the server that Patchbay itself hosts. */
export function RegistryStatus() {
  const state = useRegistry()
  const embedded = useObservable(live.embedded)
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
        <b>This app</b>{' '}
        {opening ? 'opening' : trust === 'asked' ? 'waits for trust' : serving ? 'serving' : 'not serving'}
      </span>
      <span>
        {embedded?.address === undefined ? 'no address' : `http, http+sse, ws on ${hostOf(embedded.address)}`}
      </span>
      <span title={used.length === 0 ? 'Nobody is connected' : `By ${used.join(', ')}`}>
        {counted(clients.length, 'client')}
      </span>
      <span>
        {toolHost.pid === undefined ? 'worker: idle' : `tool host pid ${toolHost.pid}`}
        {toolHost.spareReady && ', spare ready'}
      </span>
    </>
  )
}

/** `127.0.0.1:4040` of an address. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}
