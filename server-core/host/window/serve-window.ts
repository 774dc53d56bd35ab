import path from 'node:path'
import { keepHostMemorySmall } from '../../processes/host-memory.ts'
import { defaultProfile, profileFiles } from '../../profile/profile-files.ts'
import { installationAt, isPackaged } from '../../product/installation.ts'
import type { ServerDraft } from '../../profile/server-target.ts'
import { chooseSecretStore } from '../../profile/choose-secret-store.ts'
import { createHost } from '../host.ts'
import { claimInstance, type Activation } from '../instance/instance.ts'
import { ForkProcessStarter } from '../../processes/fork-process-starter.ts'
import { productVersion } from '../version.ts'
import { startWindowServer } from './window-server.ts'

export type ServeOptions = {
  /** Absolute path; the system's place for application data if not given. */
  readonly profile?: string
  /** Absolute path; the workspace in the profile if not given. */
  readonly workspace?: string
  /** Absolute path: where commands that name no folder start if no workspace is named either. */
  readonly startFolder?: string
  /** Port of the window; 0 means any. */
  readonly port: number
  /** Port of the embedded server for this run; 0 means any, undefined the one it had last time. */
  readonly mcpPort?: number
  /** `headless`: nobody opens a browser by itself. */
  readonly mode: 'browser' | 'headless'
  /** Absolute path of the folder with the built files. */
  readonly distFolder: string
  /** Folder of the modules that run tool scripts, if it is not the built one. */
  readonly scriptModules?: string
  /** Folder of the page, if it is not the built one. */
  readonly pageFolder?: string
  /** A server that the user typed. */
  readonly server?: ServerDraft
  /** Another start on the same profile asked for the window, to show a server if it named one. */
  readonly onActivate?: (serverId: string | undefined) => void
}

export type ServedWindow =
  | {
      readonly state: 'serving'
      readonly address: string
      readonly serverId?: string
      close(): Promise<void>
    }
  /** Another Patchbay has the profile and was asked to come forward; nothing runs here. */
  | {
      readonly state: 'handed-over'
      readonly mode: 'desktop' | 'browser' | 'headless'
      /** Where its window is, if it is served to a browser. */
      readonly address?: string
      readonly pid: number
    }

/**
 * Starts the host in this process and serves its window to a browser on this machine.
 *
 * @throws HostError if the port is taken or the profile cannot be used
 */
export async function serveWindow(options: ServeOptions): Promise<ServedWindow> {
  const profile = options.profile ?? defaultProfile()
  const started = Promise.withResolvers<{
    readonly address: string
    activate(asked: Activation): Promise<void>
  }>()
  // Nobody may be waiting for it when the start fails.
  started.promise.catch(() => undefined)
  const instance = await claimInstance({
    profile,
    describe: async () => ({ mode: options.mode, address: (await started.promise).address }),
    ...(options.workspace !== undefined && { workspace: options.workspace }),
    ...(options.server !== undefined && { server: options.server }),
    onActivate: async (asked) => (await started.promise).activate(asked),
  })
  if (instance.state === 'second') {
    const { mode, address, pid } = instance.running
    return { state: 'handed-over', mode, pid, ...(address !== undefined && { address }) }
  }
  try {
    keepHostMemorySmall()
    const host = await createHost({
      profile,
      ...(options.workspace !== undefined && { workspace: options.workspace }),
      ...(options.startFolder !== undefined && { startFolder: options.startFolder }),
      ...(options.mcpPort !== undefined && { mcpPort: options.mcpPort }),
      mode: options.mode,
      version: productVersion,
      secretStore: async (notices) => {
        const files = profileFiles(profile)
        const chosen = await chooseSecretStore(files, undefined, (aside) => notices.addSetAside(aside))
        if (chosen.kind === 'locked') notices.addSecretStore(chosen)
        return chosen.store
      },
      ...(process.env['PATCHBAY_TOKENS'] !== undefined && { namedTokens: process.env['PATCHBAY_TOKENS'] }),
      processStarter: (store) => new ForkProcessStarter(store),
      scriptModules: options.scriptModules ?? path.join(options.distFolder, 'scripts'),
      defaultWorkspace: path.join(options.distFolder, 'workspace', 'notes'),
      types: path.join(options.distFolder, 'workspace', 'types'),
      responderScriptEntry: path.join(options.distFolder, 'scripts', 'responder-script.js'),
      cliEntry: path.join(options.distFolder, 'cli', 'patchbay.js'),
      ...(isPackaged && {
        installation: installationAt(path.join(options.distFolder, '..'), productVersion),
      }),
    })
    const window = await startWindowServer({
      pageFolder: options.pageFolder ?? path.join(options.distFolder, 'renderer'),
      port: options.port,
      router: host.router,
    }).catch(async (error: unknown) => {
      await host.close()
      throw error
    })
    started.resolve({
      address: window.address,
      activate: async ({ workspace, server }) => {
        const serverId = server === undefined ? undefined : await host.openServer(server)
        host.activate(workspace)
        options.onActivate?.(serverId)
      },
    })
    const serverId = options.server === undefined ? undefined : await host.openServer(options.server)
    // A person sees the window at once; a program that reads the address finds everything there.
    if (options.mode === 'headless') await host.ready
    return {
      state: 'serving',
      address: window.address,
      ...(serverId !== undefined && { serverId }),
      close: () =>
        instance.close(async () => {
          await window.close()
          await host.close()
        }),
    }
  } catch (error) {
    started.reject(error)
    await instance.close()
    throw error
  }
}
