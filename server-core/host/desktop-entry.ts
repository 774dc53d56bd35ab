/** The host in the desktop: runs in a utility process that the shell starts, and speaks with the shell alone. */
import path from 'node:path'
import { installationAt, isPackaged } from '../product/installation.ts'
import { profileFiles } from '../profile/profile-files.ts'
import { chooseSecretStore } from '../profile/choose-secret-store.ts'
import { createHost, type Host } from './host.ts'
import { claimInstance, type Instance } from './instance/instance.ts'
import { productVersion } from './version.ts'
import { endWithParent } from './lifeline.ts'
import { parseShellToHost } from './shell-message-parsers.ts'
import type { HostToShell, ShellStart, ShellToHost } from './shell-messages.ts'
import { RelayedCipher } from './shell/relayed-cipher.ts'
import { RelayedProcessStarter } from './shell/relayed-process-starter.ts'
import { WindowPorts } from './shell/window-ports.ts'
import { contractCarrier } from './window/carry.ts'
import { messageOf } from '../protocol/error-message.ts'

/** The channel to the shell's main process that a utility process has. */
type ParentPort = {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: HostToShell): void
}

class DesktopHost {
  readonly #port: ParentPort
  readonly #processes: RelayedProcessStarter
  readonly #cipher: RelayedCipher
  #instance: Instance | undefined
  #host: Host | undefined
  #windows: WindowPorts | undefined
  #ending = false
  /** The workspace that another start named before the host was up. */
  #askedWorkspace: string | undefined

  constructor(port: ParentPort) {
    this.#port = port
    this.#processes = new RelayedProcessStarter((message) => port.postMessage(message))
    this.#cipher = new RelayedCipher((message) => port.postMessage(message))
    port.on('message', ({ data }) => {
      const message = parseShellToHost(data)
      if (message === undefined) console.error('Refused an invalid message of the shell')
      else this.#receive(message)
    })
  }

  #receive(message: ShellToHost): void {
    switch (message.type) {
      case 'start':
        this.#start(message.options).catch((error: unknown) => this.fail(error))
        return
      case 'window':
        this.#windows?.posted(message.windowId, message.data)
        return
      case 'window-closed':
        this.#windows?.closed(message.windowId)
        return
      case 'cipher-done':
      case 'cipher-failed':
        this.#cipher.receive(message)
        return
      case 'open-workspace':
        this.#activate(message.folder)
        return
      case 'stop':
        void this.end()
        return
      default:
        this.#processes.receive(message)
    }
  }

  async #start(options: ShellStart): Promise<void> {
    const { profile } = options
    const files = profileFiles(profile)
    this.#instance = await claimInstance({
      profile,
      describe: () => Promise.resolve({ mode: 'desktop' }),
      onActivate: async ({ workspace, server }) => {
        if (server !== undefined) await this.#host?.openServer(server)
        this.#activate(workspace)
      },
    })
    if (this.#instance.state === 'second') {
      const { mode, address } = this.#instance.running
      const where = address === undefined ? `as a ${mode} window, which was brought forward` : `at ${address}`
      throw new Error(`This profile is already open ${where}. Close it there, or choose another --profile.`)
    }
    this.#host = await createHost({
      profile,
      ...(options.workspace !== undefined && { workspace: options.workspace }),
      ...(options.startFolder !== undefined && { startFolder: options.startFolder }),
      ...(options.mcpPort !== undefined && { mcpPort: options.mcpPort }),
      mode: 'desktop',
      version: options.version,
      secretStore: async (notices) => {
        const cipher = options.encryption === 'system' ? this.#cipher : undefined
        const chosen = await chooseSecretStore(files, cipher, (aside) => notices.addSetAside(aside))
        if (chosen.kind === 'locked' || (chosen.kind === 'plain' && chosen.isNew))
          notices.addSecretStore(chosen)
        return chosen.store
      },
      ...(process.env['PATCHBAY_TOKENS'] !== undefined && { namedTokens: process.env['PATCHBAY_TOKENS'] }),
      processStarter: (store) => this.#processes.keepingRegistry(store),
      scriptModules: path.join(options.distFolder, 'scripts'),
      defaultWorkspace: path.join(options.distFolder, 'workspace', 'notes'),
      types: path.join(options.distFolder, 'workspace', 'types'),
      responderScriptEntry: path.join(options.distFolder, 'scripts', 'responder-script.js'),
      cliEntry: path.join(options.distFolder, 'cli', 'patchbay.js'),
      ...(isPackaged && {
        installation: installationAt(path.join(options.distFolder, '..'), productVersion),
      }),
    })
    await this.#host.ready
    this.#windows = new WindowPorts(contractCarrier(this.#host.router), (windowId, data) => {
      this.#port.postMessage({ type: 'window', windowId, data })
    })
    this.#port.postMessage({ type: 'ready' })
    if (this.#askedWorkspace !== undefined) this.#activate(this.#askedWorkspace)
  }

  #activate(workspace: string | undefined): void {
    if (this.#host === undefined) this.#askedWorkspace = workspace ?? this.#askedWorkspace
    else {
      this.#host.activate(workspace)
      this.#port.postMessage({ type: 'activate' })
    }
  }

  /** Reports to the shell why the host could not start. */
  fail(error: unknown): void {
    const message = messageOf(error)
    this.#port.postMessage({ type: 'failed', message })
  }

  /** Ends everything, then this process. */
  async end(): Promise<void> {
    if (this.#ending) return
    this.#ending = true
    const endHost = async (): Promise<void> => this.#host?.close()
    if (this.#instance?.state === 'first') await this.#instance.close(endHost)
    else await endHost()
    process.exit(0)
  }
}

const { parentPort } = process as { parentPort?: ParentPort }
if (parentPort === undefined)
  throw new Error('This is the host of the desktop window; patchbay desktop starts it.')
const desktop = new DesktopHost(parentPort)
endWithParent(() => void desktop.end())
// Electron only warns of them in a utility process, and the state after one is unknown.
process.on('unhandledRejection', (error) => {
  desktop.fail(error)
  process.exitCode = 1
  void desktop.end()
})
