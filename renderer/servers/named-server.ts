import { selectedServer } from '../state/selection.ts'
import { showServer } from './server-actions.ts'

/** The parts of the browser that have the address. */
type AddressPlaces = {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: { replaceState(data: unknown, unused: string, url: string): void }
}

/** Selects the server that the fragment of the address names (`#server=ID`), opens its page, and clears the fragment. */
export function showNamedServer({ location, history }: AddressPlaces): void {
  const id = new URLSearchParams(location.hash.replace(/^#/, '')).get('server')
  if (id === null || id === '') return
  history.replaceState(null, '', location.pathname + location.search)
  selectedServer.set(id)
  showServer(id)
}
