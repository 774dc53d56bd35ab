/**
 * Saves a script, a workspace's data and a client's configuration over and over, and records messages, each under its own steam, until it is
 * killed. Word: the folder. Sends what is saved as soon as that is said to be.
 */
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WorkspaceFiles } from '../../server-core/host/editor/workspace-files.ts'
import { clientFile } from '../../server-core/install/client-file.ts'
import { clientOf } from '../../server-core/install/clients.ts'
import { installEntry } from '../../server-core/install/installer.ts'
import { Recorder } from '../../server-core/capture/recording/recorder.ts'
import { workspaceDocument } from '../../server-core/workspace/server-entries.ts'
import { CLIENT_FILE, numbered, RECORDING, SCRIPT, type Saved } from './written-files.ts'

const [folder = ''] = process.argv.slice(2)
/** Messages that come together. */
const BURST = 40

function saved(what: Saved['what'], number: number): void {
  process.send?.({ what, number } satisfies Saved)
}

async function script(): Promise<never> {
  const files = new WorkspaceFiles(folder)
  let { version } = await files.read(SCRIPT)
  for (let number = 1; ; number += 1) {
    const outcome = await files.save(SCRIPT, numbered(number), version)
    if (outcome.state !== 'saved') throw new Error(`the script was not saved: ${outcome.state}`)
    ;({ version } = outcome)
    saved('script', number)
  }
}

async function data(): Promise<never> {
  const document = workspaceDocument(path.join(folder, 'patchbay.json'), () => {
    throw new Error('patchbay.json was set aside')
  })
  for (let number = 1; ; number += 1) {
    const server = { id: `s${number}`, name: `server ${number}`, origin: 'user', transport: 'stdio' } as const
    await document.update((current) => ({
      ...current,
      servers: [...current.servers, { ...server, command: 'node', args: ['x'.repeat(200)], env: [] }].slice(
        -40,
      ),
    }))
    saved('data', number)
  }
}

async function client(): Promise<never> {
  const surroundings = { platform: process.platform, env: {}, home: folder }
  const file = path.join(folder, CLIENT_FILE)
  const where = await clientFile(clientOf('vscode'), surroundings, { type: 'named', file })
  const launcher = { command: process.execPath, program: path.join(folder, 'patchbay.js'), env: {} }
  for (let number = 1; ; number += 1) {
    const served = { type: 'workspace', folder: path.join(folder, `workspace-${number}`) } as const
    await installEntry(where, { name: 'patchbay', launcher, installed: { served } })
    saved('client', number)
  }
}

async function recording(): Promise<never> {
  const recorder = await Recorder.create(path.join(folder, RECORDING), {
    onTrouble: (text) => {
      throw new Error(text)
    },
  })
  const tap = recorder.tap({ serverName: 'soak', side: 'server', transport: 'stdio' })
  for (let number = 1; ;) {
    for (const end = number + BURST; number < end; number += 1) {
      const bytes = Buffer.from(
        JSON.stringify({ jsonrpc: '2.0', id: number, method: 'x'.repeat(number % 300) }),
      )
      tap.record({ kind: 'message', direction: 'received', bytes })
    }
    // It is written by itself, as in a server.
    while (recorder.waitingBytes > 0) await pause(4)
    saved('recording', number - 1)
  }
}

await Promise.all([script(), data(), client(), recording()])
