import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { OpenUpstream } from '../../sources/proxy/upstream.ts'
import { connect, type ConnectOptions } from '../../client/connect.ts'
import { ProbeMemory } from '../../client/probe-memory.ts'
import { CompositionError } from '../../sources/composition-error.ts'
import { Configurer, type OpenMount } from '../../sources/configurer.ts'
import { holds } from '../../sources/inside-folder.ts'
import type { FaultyEntry } from '../../sources/source.ts'
import { LiveWorkspace, type LiveWorkspaceOptions } from '../../live/live-workspace.ts'

/** How a stored server is reached. */
export type ServerTransports = Pick<ConnectOptions, 'open' | 'openOlder' | 'protocol'>

export type Configure = NonNullable<LiveWorkspaceOptions['configure']>

export type WorkspaceSourcesOptions = {
  /** Who lists what proxied servers have. */
  readonly identity: ConnectOptions['identity']
  /** The ways to an approved entry, by name or id. Rejects with an error that says why there are none. */
  readonly transportsFor: (server: string) => Promise<ServerTransports>
  /** Whether the user lets the code of a folder run. */
  readonly mayRun: (folder: string) => Promise<boolean>
  readonly scriptHostOf: (folder: string) => LiveWorkspaceOptions['host']
  readonly documentOf: (folder: string) => LiveWorkspaceOptions['document']
  /** Where secrets are looked up by name; the environment of this process if not given. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

const CONFIGURATION = 'patchbay.config.ts'

/** What opens the sources that the configuration of a folder names. */
export function workspaceSources(options: WorkspaceSourcesOptions): (folder: string) => Configure {
  const { environment = process.env } = options
  const configureIn = (folder: string, above: readonly string[]): Configure => {
    const configurer = new Configurer({
      folder,
      identity: options.identity,
      file: CONFIGURATION,
      upstream: async (server) => {
        // Refused at once where it may not be; looked at again each time that it is opened.
        await options.transportsFor(server)
        return upstreamOf(() => options.transportsFor(server), options.identity)
      },
      openMount: async (given) => {
        const mounted = await mountable(folder, given, above, options.mayRun)
        const host = options.scriptHostOf(mounted)
        try {
          const configure = configureIn(mounted, [...above, mounted])
          const document = options.documentOf(mounted)
          return mountOf(await LiveWorkspace.open({ folder: mounted, host, document, configure }))
        } catch (error) {
          await host.close()
          throw error
        }
      },
      secretOf: (name) => Promise.resolve(environment[name]),
    })
    return configurer.configure
  }
  return (folder) => configureIn(folder, [path.resolve(folder)])
}

function upstreamOf(
  transports: () => Promise<ServerTransports>,
  identity: ConnectOptions['identity'],
): OpenUpstream {
  const memory = new ProbeMemory()
  return async ({ declaration, responders, listeners, signal }) =>
    connect({ ...(await transports()), identity, declaration, responders, listeners, memory, signal })
}

/** Rejects with a `CompositionError` for a folder that is not there, may not run, or is being mounted already. */
async function mountable(
  folder: string,
  given: string,
  above: readonly string[],
  mayRun: WorkspaceSourcesOptions['mayRun'],
): Promise<string> {
  const meant = path.resolve(folder, given)
  const real = await realpath(meant).catch(() => {
    throw new CompositionError('configuration', `there is no folder ${meant}`)
  })
  const places = await Promise.all(above.map((each) => realpath(each)))
  if (places.includes(real)) {
    const message = `${real} mounts itself, by way of ${above.join(', ')}; a workspace cannot be a part of itself`
    throw new CompositionError('configuration', message)
  }
  const [outermost = real] = places
  if (holds(outermost, real) || (await mayRun(real))) return real
  const message = `${real} is not trusted, so none of its code runs. Open it once in the window and trust it, or serve with --trust`
  throw new CompositionError('configuration', message)
}

function mountOf(live: LiveWorkspace): OpenMount {
  return {
    view: live.registry,
    trouble: {
      faults: () =>
        live.entries().flatMap(({ kind, name, state, error }): FaultyEntry[] => {
          if (state !== 'failing' || error === undefined) return []
          const { code, message, at } = error
          // Where it is mounted, nothing but the message says where in it that is.
          const where = at === undefined ? '' : ` (${at.file}:${at.line}:${at.column})`
          return [{ kind, name, fault: { code, message: message + where } }]
        }),
      onChange: (listener) =>
        live.onChange((change) => {
          if (change.type === 'state') listener()
        }),
    },
    close: () => live.close(),
  }
}
