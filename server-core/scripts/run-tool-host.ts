import { serveInvocations } from '../registry/port/serve-invocations.ts'
import type { Lifecycle, RegistryView } from '../registry/entries.ts'
import { messageOf } from '../registry/handler-errors.ts'
import { endWhenOrphaned } from './orphan-watch.ts'
import { isUtilityProcess, parentEnd } from './parent-end.ts'

/** Milliseconds that a clean-up may take once the parent is gone. */
const CLEAN_UP_MS = 5_000

/**
 * Serves a registry to the process that started this one, and ends with it, after its lifespan has cleaned up. Throws
 * an error if there is no way to that process.
 */
export function runToolHost(registry: RegistryView & Partial<Lifecycle>): void {
  const end = parentEnd()
  if (end === undefined) {
    throw new Error('The tool host talks to the process that starts it; it cannot be started by hand.')
  }
  const { over } = serveInvocations(end, registry)
  void end.closed.then(() => {
    setTimeout(() => process.exit(0), CLEAN_UP_MS)
  })
  over.then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`The clean-up failed: ${messageOf(error)}\n`)
      process.exit(1)
    },
  )
  if (!isUtilityProcess()) endWhenOrphaned()
}
