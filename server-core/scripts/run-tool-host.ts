import { serveInvocations } from '../registry/port/serve-invocations.ts'
import type { RegistryView } from '../registry/entries.ts'
import { endWhenOrphaned } from './orphan-watch.ts'
import { isUtilityProcess, parentEnd } from './parent-end.ts'

/**
 * Serves a registry to the process that started this one, and ends with it. Throws an error if there is no way to
 * that process.
 */
export function runToolHost(registry: RegistryView): void {
  const end = parentEnd()
  if (end === undefined) {
    throw new Error('The tool host talks to the process that starts it; it cannot be started by hand.')
  }
  serveInvocations(end, registry)
  void end.closed.then(() => {
    process.exit(0)
  })
  if (!isUtilityProcess()) endWhenOrphaned()
}
