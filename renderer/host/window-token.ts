/** The parts of the browser that hold the token. */
export interface TokenPlaces {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: { replaceState(data: unknown, unused: string, url: string): void }
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>
}

const key = 'patchbay.token'

/**
 * The token this window was opened with: from the fragment of the address (`#token=…`), which is then taken out of
 * the address bar and the history, or from this tab's session. `undefined` if it was opened without one. What else the
 * fragment names stays.
 */
export function takeWindowToken({ location, history, sessionStorage }: TokenPlaces): string | undefined {
  const { token: given, rest } = readFragment(location.hash)
  if (given === null || given === '') return sessionStorage.getItem(key) ?? undefined
  sessionStorage.setItem(key, given)
  history.replaceState(null, '', location.pathname + location.search + rest)
  return given
}

function readFragment(hash: string): { readonly token: string | null; readonly rest: string } {
  const members = new URLSearchParams(hash.replace(/^#/, ''))
  const token = members.get('token')
  members.delete('token')
  return { token, rest: members.size === 0 ? '' : `#${members.toString()}` }
}
