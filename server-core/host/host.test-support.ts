import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRouterClient, type RouterClient } from '@orpc/server'
import { MemorySecretStore } from '../profile/secret-store.ts'
import type { Batch } from './contract/events.ts'
import type { ServerDraft, ServerState } from './contract/servers.ts'
import { createHost, type Host, type HostOptions } from './host.ts'
import { ForkProcessStarter } from '../processes/fork-process-starter.ts'
import type { HostRouter } from './router.ts'

/** The workspace that the product brings along; test hosts have an empty one, for which nothing has to be started. */
export const NOTES = path.join(import.meta.dirname, '..', '..', 'examples', 'notes')

export type HostClient = RouterClient<HostRouter>

export type TestHost = {
  readonly host: Host
  readonly client: HostClient
  readonly profile: string
  /** Adds a server and approves it as it was shown. */
  addApproved(draft: ServerDraft): Promise<ServerState>
  close(): Promise<void>
}

/** A real host on a profile of its own, with its workspace open and its embedded server on any free port. */
export async function startTestHost(options: Partial<HostOptions> = {}): Promise<TestHost> {
  const profile = options.profile ?? (await mkdtemp(path.join(tmpdir(), 'patchbay-profile-')))
  const secretStore = new MemorySecretStore()
  const host = await createHost({
    profile,
    mode: 'headless',
    mcpPort: 0,
    secretStore: () => secretStore,
    processStarter: (store) => new ForkProcessStarter(store),
    scriptModules: path.join(import.meta.dirname, '..', 'scripts'),
    responderScriptEntry: path.join(import.meta.dirname, '..', 'responders', 'scripts', 'script-process.ts'),
    version: '0.0.0-test',
    ...options,
  })
  await host.ready
  const client = createRouterClient(host.router)
  // A host serves a workspace that takes long as it comes.
  await watchUntil(client, ({ registry }) => registry?.opening === false, 'until-open')
  return {
    host,
    client,
    profile,
    addApproved: async (draft) => {
      const { id } = await client.servers.add({ draft, origin: 'user' })
      const { hash } = await client.servers.approval({ id })
      return client.servers.approve({ id, hash })
    },
    close: () => host.close(),
  }
}

/** Watches a host and gives its batches until one of them fits; acknowledges each. */
export async function watchUntil(
  client: HostClient,
  fits: (batch: Batch) => boolean,
  stream = 'watch',
): Promise<Batch[]> {
  const batches: Batch[] = []
  for await (const batch of await client.events.watch({ stream })) {
    batches.push(batch)
    await client.events.acknowledge({ stream, seq: batch.seq })
    if (fits(batch)) break
  }
  return batches
}
