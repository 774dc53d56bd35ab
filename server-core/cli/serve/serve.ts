import { productVersion } from '../host/version.ts'
import { createServer } from '../server/server.ts'
import { createBuiltInNotes, NOTES_INSTRUCTIONS } from './built-in-notes.ts'
import type { Command } from './command.ts'
import { ExitCode, UsageError } from './exit-code.ts'
import { requireServedNames } from './serve-scopes.ts'
import { keptSealKey, readServing, serveUntilEnd } from './serving.ts'

type ServeCommand = Extract<Command, { type: 'serve' }>

/** `patchbay serve`: serves a workspace, or the built-in notes, until it is ended. */
export async function serve({ flags }: ServeCommand, signal: AbortSignal): Promise<ExitCode> {
  const { folder } = flags
  if (folder !== undefined)
    return (await import('./serve-workspace.ts')).serveWorkspace({ ...flags, folder }, signal)
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
