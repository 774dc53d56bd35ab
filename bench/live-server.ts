import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connectTo } from '../server-core/client/connect-to.ts'
import type { Connection } from '../server-core/client/connection.ts'
import { ForkProcessStarter } from '../server-core/processes/fork-process-starter.ts'
import { buildParts } from '../server-core/launcher/build-parts.ts'
import { partNamed } from '../server-core/launcher/parts.ts'
import { LiveWorkspace } from '../server-core/live/live-workspace.ts'
import type { Limits } from '../server-core/protocol/limits.ts'
import type { RegistryView } from '../server-core/registry/entries.ts'
import { startScriptHost } from '../server-core/scripts/start-script-host.ts'
import { createServer } from '../server-core/server/server.ts'
import { startHttpListener } from '../server-core/listener/http-listener.ts'
import { workspaceFile } from '../server-core/profile/profile-files.ts'
import { workspaceDocument } from '../server-core/workspace/server-entries.ts'
import { adding, saveScript } from './saved-script.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const INFO = { name: 'bench', version: '1.0.0' }

/** Builds the tool host, if it is stale, and gives its folder. Throws what the build says. */
export async function scriptModules(): Promise<string> {
  const part = partNamed('tool-host')
  if (part === undefined) throw new Error('expected a part named "tool-host"')
  const [outcome] = await buildParts(ROOT, [part])
  if (outcome?.state === 'failed') throw new Error(outcome.message)
  return path.join(ROOT, 'dist', part.folder)
}

export type LiveServer = {
  readonly folder: string
  readonly live: LiveWorkspace
  /** Over Streamable HTTP, on a socket. */
  readonly connect: () => Promise<Connection>
  close(): Promise<void>
}

/** A workspace with that many scripts (`tool0`, …), watched and served. */
export async function serveWorkspace(scripts: number, limits: Partial<Limits> = {}): Promise<LiveServer> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-bench-')))
  await mkdir(path.join(folder, 'tools'))
  await Promise.all(Array.from({ length: scripts }, (_, at) => saveScript(folder, `tool${at}`, adding(0))))
  const host = startScriptHost({
    folder,
    starter: new ForkProcessStarter(),
    modules: await scriptModules(),
    limits,
  })
  const document = workspaceDocument(workspaceFile(folder), 'leave')
  const live = await LiveWorkspace.open({ folder, host, document })
  const served = await serve(live.registry)
  return {
    folder,
    live,
    connect: served.connect,
    close: async () => {
      await served.close()
      await live.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Serves a registry on a port of its own. */
export async function serve(
  registry: RegistryView,
): Promise<{ readonly connect: () => Promise<Connection>; close(): Promise<void> }> {
  const server = createServer({ registry, info: INFO })
  const listener = await startHttpListener({ server, port: 0 })
  return {
    connect: () =>
      connectTo(
        { transport: 'http', url: `http://127.0.0.1:${listener.port}/mcp` },
        { identity: INFO, protocol: '2025-11-25' },
      ),
    close: async () => {
      await listener.close()
      await server.close()
    },
  }
}
