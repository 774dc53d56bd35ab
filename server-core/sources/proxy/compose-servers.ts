import type { RegistryView } from '../../registry/entries.ts'
import { composeRegistry, type ComposedRegistry } from '../compose.ts'

/** A server behind the proxy; the names of its tools and prompts have its prefix already. */
type NamedView = { readonly alias: string; readonly view: RegistryView }

/** An entry that is not exposed, because an earlier server has one of the same name. */
type HiddenEntry = { readonly alias: string; readonly name: string; readonly owner: string }

/**
 * Composes the servers behind a proxy into one registry. Resources keep their URIs; if two servers list the same name,
 * the entry of the first is exposed.
 *
 * @param onHidden called once for each entry that is not exposed
 */
export function composeServers(
  servers: readonly NamedView[],
  onHidden: (hidden: HiddenEntry) => void,
): ComposedRegistry {
  const registry = composeRegistry([], { listStability: 'fixed' })
  const reported = new Set<string>()
  registry.onEntries(() => {
    const entries = registry.entries()
    const hidden = entries.filter(({ fault }) => fault?.code === 'collision')
    if (hidden.length === 0) return
    const owners = new Map(
      entries
        .filter(({ state }) => state === 'served')
        .map(({ kind, shownName, source }) => [`${kind}:${shownName}`, source]),
    )
    for (const { kind, shownName, source } of hidden) {
      const owner = owners.get(`${kind}:${shownName}`)
      const key = JSON.stringify([kind, shownName, source, owner])
      if (owner === undefined || reported.has(key)) continue
      reported.add(key)
      onHidden({ alias: source, name: shownName, owner })
    }
  })
  registry.batch(() => {
    for (const { alias, view } of servers)
      registry.add({ id: alias, origin: { kind: 'proxy', label: alias }, view })
  })
  return registry
}
