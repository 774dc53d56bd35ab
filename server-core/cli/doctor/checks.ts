import { access, constants, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { desktopObstacle } from '../../desktop/desktop-window.ts'
import { electronPackageFolder, installedExecutable } from '../../desktop/electron-executable.ts'
import { npmProgram } from '../../downloads/npm-program.ts'
import { installedPackage, PINNED, pinnedPackage } from '../../downloads/pinned-package.ts'
import { typescriptProgram } from '../../host/editor/typescript-program.ts'
import { thisMachine } from '../../host/install/launcher.ts'
import { productVersion } from '../../host/version.ts'
import { hasDisplay } from '../../host/window/has-display.ts'
import { clientFile } from '../../install/client-file.ts'
import { CLIENTS } from '../../install/clients.ts'
import { fileState } from '../../install/installer.ts'
import { isPackaged } from '../../product/installation.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { installation } from '../output/own-installation.ts'
import { ownLauncher } from '../mcp/own-launcher.ts'
import { ownCommand } from '../output/own-command.ts'
import { distFolder } from '../serve/workspace/program-folder.ts'

/** What one check found. `warning`: something optional is missing. */
export type Finding = {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly detail: string
  /** What to do about it. */
  readonly next?: string
}

/** Runs all checks. Changes nothing. */
export async function allFindings(profile: string): Promise<readonly Finding[]> {
  return [
    program(),
    node(),
    npm(),
    await dataFolder(profile),
    await loopback(),
    browser(),
    electron(),
    languageServer(),
    ...(await clients()),
  ]
}

function program(): Finding {
  const how = {
    clone: 'a clone',
    npx: 'run by npx',
    global: 'installed for you',
    project: 'installed in a project',
  }
  return {
    name: 'Patchbay',
    state: 'ok',
    detail: `${productVersion}, ${how[installation().type]}, ${distFolder()}`,
  }
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOldEnough = major > 22 || (major === 22 && minor >= 12)
  const detail = `${process.versions.node}, ${process.execPath}`
  if (isOldEnough) return { name: 'Node', state: 'ok', detail }
  return { name: 'Node', state: 'problem', detail, next: 'Install Node 24.' }
}

function npm(): Finding {
  const file = npmProgram()
  if (file !== undefined) return { name: 'npm', state: 'ok', detail: file }
  const detail = 'not found; it fetches Electron and the language server'
  return { name: 'npm', state: 'warning', detail, next: 'Put npm on PATH.' }
}

async function dataFolder(profile: string): Promise<Finding> {
  const name = 'Data folder'
  try {
    let folder = profile
    while ((await stat(folder).catch(() => undefined)) === undefined && path.dirname(folder) !== folder)
      folder = path.dirname(folder)
    await access(folder, constants.W_OK)
    const isThere = folder === profile
    return { name, state: 'ok', detail: isThere ? profile : `${profile}, made at the first start` }
  } catch {
    const next = 'Make it writable, or choose another one by --profile.'
    return { name, state: 'problem', detail: `${profile} cannot be written`, next }
  }
}

async function loopback(): Promise<Finding> {
  const name = 'Loopback'
  const server = createServer()
  try {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    server.close()
    return { name, state: 'ok', detail: 'ports of 127.0.0.1 can be opened' }
  } catch (error) {
    const next = 'Allow programs to listen on 127.0.0.1.'
    return { name, state: 'problem', detail: messageOf(error), next }
  }
}

function browser(): Finding {
  if (hasDisplay())
    return { name: 'Browser', state: 'ok', detail: "the window opens in the system's browser" }
  const detail = 'there is no display, so no browser is opened'
  return { name: 'Browser', state: 'warning', detail, next: 'Open the printed address yourself.' }
}

function electron(): Finding {
  const name = 'Electron'
  const pinned = pinnedPackage('electron', distFolder())
  const folder = pinned === undefined ? electronPackageFolder() : installedPackage(pinned)
  const file = folder === undefined ? undefined : installedExecutable(folder)
  const obstacle = desktopObstacle()
  if (file !== undefined && obstacle === undefined) return { name, state: 'ok', detail: file }
  if (obstacle !== undefined) return { name, state: 'warning', detail: `no desktop window: ${obstacle}` }
  const next = `${isPackaged ? `${ownCommand()} desktop` : 'npm start'} fetches it (${PINNED.electron.size}).`
  return { name, state: 'warning', detail: 'not fetched', next }
}

function languageServer(): Finding {
  const name = 'TypeScript'
  try {
    return { name, state: 'ok', detail: typescriptProgram() }
  } catch {
    const next = `The editor of the window offers to fetch it (${PINNED.typescript.size}).`
    return { name, state: 'warning', detail: 'the language server is not fetched', next }
  }
}

/** The clients on this machine. */
async function clients(): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const client of CLIENTS) {
    const where = await clientFile(client, thisMachine()).catch(() => undefined)
    if (where?.isHere !== true) continue
    const state = await fileState(where, ownLauncher())
    if (state.state === 'broken') {
      findings.push({
        name: client.title,
        state: 'problem',
        detail: state.problem,
        next: 'Correct the file.',
      })
      continue
    }
    const entries = state.state === 'ready' ? state.entries : []
    const stale = entries.find((entry) => entry.state === 'stale')
    if (stale !== undefined) {
      const detail = `"${stale.name}" in ${where.file}: ${stale.reason ?? 'it is stale'}`
      const next = `${ownCommand()} mcp install ${client.id} writes it again.`
      findings.push({ name: client.title, state: 'warning', detail, next })
      continue
    }
    const names = entries.map((entry) => entry.name).join(', ')
    const detail = names === '' ? 'found, no entry of Patchbay' : `found, with ${names}`
    const next = `${ownCommand()} mcp install ${client.id} adds one.`
    findings.push({ name: client.title, state: 'ok', detail, ...(names === '' && { next }) })
  }
  return findings
}
