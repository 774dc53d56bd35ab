import { productVersion } from '../../host/version.ts'
import { createServer, type ServerOptions } from '../../server/server.ts'
import { ExitCode, UsageError } from '../output/exit-code.ts'
import { createBuiltInNotes, NOTES_INSTRUCTIONS } from './built-in-notes.ts'
import { requireServedNames } from './serve-scopes.ts'
import type { ServeFlags } from './serve-options.ts'
import { keptSealKey, readServing, serveUntilEnd } from './serving.ts'

/** `patchbay serve`: serves a workspace, a recorded server or the built-in notes until it is ended. */
export async function serve(flags: ServeFlags, signal: AbortSignal): Promise<ExitCode> {
  const { folder } = flags
  if (folder !== undefined)
    return (await import('./workspace/serve-workspace.ts')).serveWorkspace({ ...flags, folder }, signal)
  const serving = await readServing(flags, 'serve')
  const { plan, log } = serving
  if (serving.isOff) {
    throw new UsageError(
      `${serving.file} switches the server off: remove "enabled": false of "serve", or name the workspace to serve`,
    )
  }
  const { title, close, ...served } = await servedBy(flags)
  requireServedNames(plan.network?.authorization?.requiredScopes, served.registry)
  const server = createServer({
    ...served,
    // Whoever only calls tools needs none.
    sealKey: () => keptSealKey(log),
    ...(plan.revisions !== undefined && { revisions: plan.revisions }),
  })
  try {
    await serveUntilEnd(
      { server, name: title, serverName: served.info.name, prepare: () => server.prepare() },
      serving,
      signal,
    )
  } finally {
    await server.close()
    await close?.()
  }
  return ExitCode.ok
}

/** What is served, and how the log names it. */
type Served = Pick<ServerOptions, 'registry' | 'info' | 'instructions'> & {
  readonly title: string
  readonly close?: () => Promise<void>
}

async function servedBy({ replay, profile }: ServeFlags): Promise<Served> {
  if (replay === undefined)
    return {
      registry: createBuiltInNotes(),
      title: 'The notes server',
      info: { name: 'notes', title: 'Patchbay notes', version: productVersion },
      instructions: NOTES_INSTRUCTIONS,
    }
  const { openRecordedServer } = await import('./replay/open-recorded-server.ts')
  const registry = await openRecordedServer(replay, profile)
  const { info = { name: 'recorded', version: productVersion }, instructions } = registry.lists
  return {
    registry,
    close: () => registry.close(),
    title: `The recording of ${info.name}`,
    info,
    ...(instructions !== undefined && { instructions }),
  }
}
