import { homedir } from 'node:os'
import path from 'node:path'
import { app, BrowserWindow, dialog } from 'electron'
import { endWithParent } from '../server-core/host/lifeline.ts'
import { defaultProfile } from '../server-core/profile/profile-files.ts'
import { encryptionOfSystem } from './cipher.ts'
import { watchForEndings } from './endings.ts'
import { installContentsGuards, installPermissionGuards } from './guards.ts'
import { HostProcess } from './host-process.ts'
import { installMenu } from './menu.ts'
import { receiveFromPages, sendToPage } from './page-bridge.ts'
import { registerPageScheme, servePage } from './page-protocol.ts'
import { parseShellOptions } from './shell-options.ts'
import { bringForward, openWindow } from './windows.ts'

const distFolder = path.join(import.meta.dirname, '..')
const preload = path.join(import.meta.dirname, 'preload.cjs')
const options = parseShellOptions(process.argv.slice(1))
const profile = options.profile ?? defaultProfile()
/** Who started us, if a launcher did; it may be gone already when we begin to watch it. */
const launcher = options.launcher ?? process.ppid

// Each profile has its own browser data, and with it its own single-instance lock.
app.setPath('userData', path.join(profile, 'shell'))
app.enableSandbox()
registerPageScheme()
installContentsGuards()
watchForEndings(giveUp)
let host: HostProcess | undefined
/** The workspace that another start asked for before there was a host. */
let askedWorkspace: string | undefined

if (app.requestSingleInstanceLock({ workspace: absolute(options.workspace) })) {
  app.on('second-instance', (_event, _args, _folder, data) => {
    bringForward(preload)
    const workspace = workspaceOf(data)
    if (workspace === undefined) return
    if (host === undefined) askedWorkspace = workspace
    else host.send({ type: 'open-workspace', folder: workspace })
  })
  app.whenReady().then(run).catch(giveUp)
} else {
  // The same words as the launcher's, which cannot know of an instance that is still starting.
  console.log('Patchbay is running with this profile already; its window comes forward.')
  app.quit()
}

async function run(): Promise<void> {
  installPermissionGuards()
  servePage(path.join(distFolder, 'renderer'))
  const started = new HostProcess(
    {
      profile,
      ...(options.workspace !== undefined && { workspace: options.workspace }),
      ...(options.mcpPort !== undefined && { mcpPort: options.mcpPort }),
      // npm says where the user was when it was called.
      startFolder: process.env['INIT_CWD'] ?? homedir(),
      version: app.getVersion(),
      distFolder,
      encryption: await encryptionOfSystem(),
    },
    {
      window: sendToPage,
      activate: () => bringForward(preload),
      failed: giveUp,
      gone: (exitCode) => giveUp(`The host process ended with code ${String(exitCode)}. Saved data is safe.`),
    },
  )
  host = started
  if (askedWorkspace !== undefined) started.send({ type: 'open-workspace', folder: askedWorkspace })
  receiveFromPages({
    posted: (windowId, data) => started.send({ type: 'window', windowId, data }),
    closed: (windowId) => started.send({ type: 'window-closed', windowId }),
  })
  stopWithTheApp(started)
  endWithParent(() => app.quit(), launcher)
  installMenu()
  openWindow(preload)
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openWindow(preload)
  })
}

/** Another process may be in another folder. */
function absolute(workspace: string | undefined): string | undefined {
  return workspace === undefined ? undefined : path.resolve(workspace)
}

/** The workspace that a later start on this profile was asked to open. */
function workspaceOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('workspace' in data)) return undefined
  return typeof data.workspace === 'string' ? data.workspace : undefined
}

/** Holds the app's end until the host has ended its children. */
function stopWithTheApp(running: HostProcess): void {
  let stopped = false
  let stopping = false
  app.on('will-quit', (event) => {
    if (stopped) return
    event.preventDefault()
    if (stopping) return
    stopping = true
    void running.stop().finally(() => {
      stopped = true
      app.quit()
    })
  })
}

/** Ends the host's children, says what went wrong and ends: a shell that starts itself again could do so for ever. */
function giveUp(problem: unknown): void {
  const message = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)
  void (host?.stop() ?? Promise.resolve()).finally(() => {
    dialog.showErrorBox('Patchbay has to close', message)
    app.exit(1)
  })
}
