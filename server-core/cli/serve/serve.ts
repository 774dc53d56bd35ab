import { productVersion } from '../../host/version.ts'
import { createServer } from '../../server/server.ts'
import { createBuiltInNotes, NOTES_INSTRUCTIONS } from './built-in-notes.ts'
import { ExitCode, UsageError } from '../output/exit-code.ts'
import { requireServedNames } from './serve-scopes.ts'
import type { ServeFlags } from './serve-options.ts'
import { keptSealKey, readServing, serveUntilEnd } from './serving.ts'

/** `patchbay serve`: serves a workspace, or the built-in notes, until it is ended. */
export async function serve(flags: ServeFlags, signal: AbortSignal): Promise<ExitCode> {
  const { folder, replay } = flags
  if (replay !== undefined)
    return (await import('./replay/serve-replay.ts')).serveReplay(flags, replay, signal)
  if (folder !== undefined)
    return (await import('./workspace/serve-workspace.ts')).serveWorkspace({ ...flags, folder }, signal)
  const serving = await readServing(flags, 'serve')
  const { plan, log } = serving
  if (serving.isOff) {
    throw new UsageError(
      `${serving.file} switches the server off: remove "enabled": false of "serve", or name the workspace to serve`,
    )
  }
  const registry = createBuiltInNotes()
  requireServedNames(plan.network?.authorization?.requiredScopes, registry)
  const server = createServer({
    registry,
    info: { name: 'notes', title: 'Patchbay notes', version: productVersion },
    instructions: NOTES_INSTRUCTIONS,
    // Whoever only calls tools needs none.
    sealKey: () => keptSealKey(log),
    ...(plan.revisions !== undefined && { revisions: plan.revisions }),
  })
  try {
    await serveUntilEnd(
      { server, name: 'The notes server', serverName: 'notes', prepare: () => server.prepare() },
      serving,
      signal,
    )
  } finally {
    await server.close()
  }
  return ExitCode.ok
}
