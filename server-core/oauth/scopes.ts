/** The scopes of a space-separated list, each once, in their order. */
export function scopesOf(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(/ +/).filter((scope) => scope !== ''))]
}

export function scopeText(scopes: readonly string[]): string | undefined {
  return scopes.length === 0 ? undefined : [...new Set(scopes)].join(' ')
}

export type ScopeSources = {
  /** What the user set, which wins over what the server names. */
  readonly configured: readonly string[] | undefined
  /** What the challenge names. */
  readonly challenged: readonly string[]
  /** What the resource's metadata lists. */
  readonly supported: readonly string[] | undefined
  /** Granted or asked for before: a step up keeps it. */
  readonly earlier: readonly string[]
  /** What the authorization server lists. */
  readonly serverSupported: readonly string[] | undefined
}

export type ScopeChoice = { readonly scopes: readonly string[]; readonly why: string }

/**
 * Chooses what to ask for (specification: scope selection strategy): the challenge's, else all that the resource's
 * metadata lists, else nothing; with what was granted before; and `offline_access`, for a refresh token, only if the
 * authorization server lists it.
 */
export function chooseScopes(sources: ScopeSources): ScopeChoice {
  const { configured, challenged, supported, earlier, serverSupported } = sources
  const [base, why] = baseOf(configured, challenged, supported)
  const grows = earlier.some((scope) => !base.includes(scope))
  // What a resource lists of itself is not where offline_access counts.
  const own = configured === undefined ? base.filter((scope) => scope !== 'offline_access') : base
  const offline = serverSupported?.includes('offline_access') === true
  const kept = earlier.filter((scope) => scope !== 'offline_access' || offline)
  return {
    scopes: [...new Set([...kept, ...own, ...(offline ? ['offline_access'] : [])])],
    why: [
      why,
      ...(grows ? ['what was asked for before is kept'] : []),
      ...(offline ? ['the authorization server lists offline_access, which brings a refresh token'] : []),
    ].join('; '),
  }
}

function baseOf(
  configured: readonly string[] | undefined,
  challenged: readonly string[],
  supported: readonly string[] | undefined,
): readonly [readonly string[], string] {
  if (configured !== undefined && configured.length > 0) {
    return [[...configured, ...challenged], 'the settings name them']
  }
  if (challenged.length > 0) return [challenged, 'the challenge of the server names them']
  if (supported !== undefined && supported.length > 0) {
    return [supported, 'the challenge names none, so all that the metadata of the server lists']
  }
  return [[], 'neither the challenge nor the metadata of the server names any']
}
