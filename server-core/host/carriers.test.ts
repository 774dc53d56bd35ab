import { fork, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { createORPCClient } from '@orpc/client'
import { RPCLink as PortLink } from '@orpc/client/message-port'
import { RPCLink as SocketLink } from '@orpc/client/websocket'
import type { ContractRouterClient } from '@orpc/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serveWindow, type ServedWindow } from './window/serve-window.ts'
import type { Batch } from './contract/events.ts'
import type { contract } from './contract/contract.ts'
import { startTestHost, type TestHost } from './host.test-support.ts'
import { ForkProcessStarter } from '../processes/fork-process-starter.ts'
import type { StartedProcess } from '../processes/process-starter.ts'
import type { HostToShell, ShellToHost } from './shell-messages.ts'
import { contractCarrier } from './window/carry.ts'

type Client = ContractRouterClient<typeof contract>

const scriptModules = path.join(import.meta.dirname, '..', 'scripts')

/** What every carrier must carry: values, named refusals, streams and their errors, cancellation. */
async function roundTrip(client: Client): Promise<void> {
  expect(await client.app.info()).toMatchObject({ name: 'Patchbay', platform: process.platform })
  expect(await client.app.saveSettings({ theme: 'dark', layout: { main: [20, 80] } })).toEqual({
    theme: 'dark',
    layout: { main: [20, 80] },
  })
  expect(await client.app.settings()).toMatchObject({ theme: 'dark' })
  await expect(client.servers.connect({ id: 'nobody' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('no such server') as string,
  })
  await expect(client.servers.add({ draft: { name: '' } } as never)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })

  const abort = new AbortController()
  const watch = await client.events.watch({ stream: 'page' }, { signal: abort.signal })
  const batches: Batch[] = []
  const ended = (async () => {
    for await (const batch of watch) {
      batches.push(batch)
      await client.events.acknowledge({ stream: 'page', seq: batch.seq })
    }
  })().catch((error: unknown) => error)
  await expect.poll(() => batches.length).toBeGreaterThan(0)
  expect(batches[0]).toMatchObject({ cleared: true, servers: [{ id: 'this-app', status: 'connected' }] })
  const text = 'ü'.repeat(300_000)
  const outcome = await client.inspect.request({
    serverId: 'this-app',
    callId: 'large',
    method: 'tools/call',
    paramsText: JSON.stringify({ name: 'create_note', arguments: { title: 'large', body: text } }),
  })
  expect(outcome.type).not.toBe('failure')
  await expect
    .poll(() => batches.flatMap(({ exchanges }) => exchanges ?? []).map(({ id }) => id))
    .toContain(outcome.exchangeId)
  abort.abort()
  await ended

  const { workspace } = await client.registry.state()
  const untrusted = await mkdtemp(path.join(tmpdir(), 'patchbay-untrusted-'))
  await client.registry.openWorkspace({ folder: untrusted })
  const languageServer = await client.editor.languageServer.attach({})
  await expect(languageServer.next()).rejects.toMatchObject({
    code: 'NOT_TRUSTED',
    message: expect.stringContaining(untrusted) as string,
  })
  await client.registry.openWorkspace({ folder: workspace.folder })
}

describe('the contract crosses', () => {
  let test: TestHost
  beforeAll(async () => {
    test = await startTestHost()
  })
  afterAll(() => test.close())

  it('a message channel', async () => {
    const { port1, port2 } = new MessageChannel()
    contractCarrier(test.host.router)({
      send: (data) => port1.postMessage(data),
      onMessage: (listener) => port1.on('message', listener),
      onClose: (listener) => port1.on('close', listener),
    })
    await roundTrip(createORPCClient(new PortLink({ port: port2 })))
    port2.close()
  })
})

describe('a window served to a browser', () => {
  let profile: string
  let served: Extract<ServedWindow, { state: 'serving' }>
  let activations = 0
  const options = (more: object = {}) => ({
    profile,
    port: 0,
    mcpPort: 0,
    mode: 'headless' as const,
    distFolder: profile,
    scriptModules,
    ...more,
  })
  beforeAll(async () => {
    profile = await mkdtemp(path.join(tmpdir(), 'patchbay-served-'))
    const window = await serveWindow(options({ onActivate: () => (activations += 1) }))
    if (window.state !== 'serving') throw new Error('the profile is taken')
    served = window
  })
  afterAll(() => served.close())

  const pageOf = (address: string): { readonly client: Client; readonly socket: WebSocket } => {
    const { host, origin, hash } = new URL(address)
    const protocols = ['patchbay.v1', `patchbay.token.${hash.replace('#token=', '')}`]
    const socket = new WebSocket(`ws://${host}/socket`, protocols, { origin })
    const link = new SocketLink({ websocket: socket as unknown as globalThis.WebSocket })
    return { socket, client: createORPCClient(link) }
  }

  it('carries the contract over its socket', async () => {
    const { client, socket } = pageOf(served.address)
    await roundTrip(client)
    socket.close()
  })

  it('is handed over to by a second start, which then runs nothing', async () => {
    const second = await serveWindow(options())
    expect(second).toEqual({
      state: 'handed-over',
      mode: 'headless',
      address: served.address,
      pid: process.pid,
    })
    expect(activations).toBe(1)
  })

  it('is not handed over to while it ends: a second start waits for it and serves by itself', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'patchbay-served-'))
    const first = await serveWindow(options({ profile: other }))
    if (first.state !== 'serving') throw new Error('the profile is taken')
    // A server that stays until it is signalled: ending takes two seconds.
    const { client } = pageOf(first.address)
    const stays = { transport: 'stdio' as const, command: process.execPath, env: [] }
    const draft = {
      name: 'stays',
      target: { ...stays, args: ['-e', 'setInterval(() => undefined, 60_000)'] },
    }
    const { id } = await client.servers.add({ draft, origin: 'user' })
    const { hash } = await client.servers.approval({ id })
    await client.servers.approve({ id, hash })
    void client.servers.connect({ id }).catch(() => undefined)
    await expect
      .poll(async () => (await client.servers.list()).find((each) => each.id === id)?.status)
      .toBe('connecting')
    const closing = first.close()
    const second = await serveWindow(options({ profile: other }))
    await closing
    if (second.state !== 'serving')
      throw new Error(`handed over to ${second.address ?? 'nobody'}, which ends`)
    expect((await fetch(second.address)).status).toBeGreaterThan(0)
    await second.close()
  })

  it('gives its profile back when its start fails', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'patchbay-served-'))
    const port = Number(new URL(served.address).port)
    for (let n = 0; n < 2; n += 1) {
      await expect(serveWindow(options({ profile: other, port }))).rejects.toMatchObject({
        code: 'PORT_UNAVAILABLE',
      })
    }
  })
})

/** Plays the shell's part: relays blindly, forks what it is asked to, and encrypts by a toy cipher. */
class PlayedShell {
  readonly heard: HostToShell[] = []
  readonly #child: ChildProcess
  readonly #processes = new Map<number, StartedProcess>()
  readonly #pages = new Map<number, (data: string | Uint8Array) => void>()

  constructor() {
    this.#child = fork(path.join(import.meta.dirname, 'desktop-entry.test-support.ts'), [], {
      execArgv: [],
      serialization: 'advanced',
    })
    this.#child.on('message', (message) => void this.#receive(message as HostToShell))
  }

  readonly exited = (): Promise<number | null> =>
    new Promise((resolve) =>
      this.#child.exitCode === null ? this.#child.once('exit', resolve) : resolve(this.#child.exitCode),
    )

  tell(message: ShellToHost): void {
    this.#child.send(message)
  }

  page(windowId: number): Client {
    const port = {
      postMessage: (data: string | Uint8Array) => this.tell({ type: 'window', windowId, data }),
      addEventListener: (type: string, listener: (event: MessageEvent) => void) => {
        if (type === 'message')
          this.#pages.set(windowId, (data) => listener(new MessageEvent('message', { data })))
      },
    }
    return createORPCClient(new PortLink({ port }))
  }

  async #receive(message: HostToShell): Promise<void> {
    this.heard.push(message)
    if (message.type === 'window') this.#pages.get(message.windowId)?.(message.data)
    else if (message.type === 'cipher-encrypt') {
      const result = Buffer.from(message.text).map((byte) => byte ^ 0x2a)
      this.tell({ type: 'cipher-done', requestId: message.requestId, result: new Uint8Array(result) })
    } else if (message.type === 'cipher-decrypt') {
      const result = Buffer.from(message.bytes.map((byte) => byte ^ 0x2a)).toString()
      this.tell({ type: 'cipher-done', requestId: message.requestId, result })
    } else if (message.type === 'process-start') await this.#start(message)
    else if (message.type === 'process-post') this.#processes.get(message.processId)?.post(message.message)
    else if (message.type === 'process-kill') this.#processes.get(message.processId)?.kill()
  }

  async #start({ processId, request }: Extract<HostToShell, { type: 'process-start' }>): Promise<void> {
    const started = await new ForkProcessStarter().start(request)
    this.#processes.set(processId, started)
    this.tell({ type: 'process-started', processId, pid: started.pid })
    started.onMessage((message) => this.tell({ type: 'process-message', processId, message }))
    const { code } = await started.exited
    if (this.#child.connected) this.tell({ type: 'process-exited', processId, code })
  }
}

describe('the host in the shell’s utility process', () => {
  it(
    'carries the contract for several windows, keeps secrets sealed, and ends on request',
    { timeout: 60_000 },
    async () => {
      const profile = await mkdtemp(path.join(tmpdir(), 'patchbay-desktop-'))
      const shell = new PlayedShell()
      const options = {
        profile,
        mcpPort: 0,
        version: '1.2.3',
        distFolder: '/dist',
        encryption: 'system',
      } as const
      shell.tell({ type: 'start', options })
      await expect.poll(() => shell.heard.map(({ type }) => type)).toContain('ready')
      await roundTrip(shell.page(1))

      const two = shell.page(2)
      expect(await two.app.info()).toMatchObject({ mode: 'desktop', version: '1.2.3' })
      expect((await two.app.info()).secrets).toContain('encrypted')
      await two.embedded.setTokenRequired({ required: true })
      const { token } = await two.embedded.revealToken()
      expect(await readFile(path.join(profile, 'secrets.sealed.json'), 'utf8')).not.toContain(token)

      // Text that is not a message is the page's fault and nobody else's.
      shell.tell({ type: 'window', windowId: 3, data: '{"broken' })
      shell.tell({ type: 'window-closed', windowId: 1 })
      expect(await two.app.info()).toMatchObject({ mode: 'desktop' })

      // A start for the browser on the same profile brings the desktop's window forward.
      const second = await serveWindow({ profile, port: 0, mode: 'browser', distFolder: '/dist' })
      expect(second).toMatchObject({ state: 'handed-over', mode: 'desktop' })
      await expect.poll(() => shell.heard.map(({ type }) => type)).toContain('activate')

      shell.tell({ type: 'stop' })
      expect(await shell.exited()).toBe(0)
    },
  )

  it('keeps encrypted secrets while the key chain cannot be used, and says that they are locked', async () => {
    const profile = await mkdtemp(path.join(tmpdir(), 'patchbay-desktop-'))
    const sealed = path.join(profile, 'secrets.sealed.json')
    const started = async (encryption: 'system' | 'plain'): Promise<[PlayedShell, Client]> => {
      const shell = new PlayedShell()
      const options = { profile, mcpPort: 0, version: '1.2.3', distFolder: '/dist', encryption } as const
      shell.tell({ type: 'start', options })
      await expect.poll(() => shell.heard.map(({ type }) => type)).toContain('ready')
      return [shell, shell.page(1)]
    }
    const end = async (shell: PlayedShell): Promise<void> => {
      shell.tell({ type: 'stop' })
      expect(await shell.exited()).toBe(0)
    }
    const [first, page] = await started('system')
    const target = { transport: 'http', url: 'http://127.0.0.1:9/mcp', headers: [] } as const
    const draft = { name: 'far', target: { ...target, headers: [] }, bearerToken: 'token-of-mine' }
    const { id } = await page.servers.add({ draft, origin: 'user' })
    const { hash } = await page.servers.approval({ id })
    await page.servers.approve({ id, hash })
    await end(first)
    const before = await readFile(sealed, 'utf8')

    const [second, locked] = await started('plain')
    const info = await locked.app.info()
    expect(info.secrets).toContain('cannot be used now')
    expect(info.notices.map(({ title }) => title)).toEqual([
      'The key chain cannot be used, so secrets are locked',
    ])
    expect(await locked.servers.list()).toMatchObject([{ id: 'this-app', status: 'connected' }, { id }])
    await expect(locked.servers.connect({ id })).rejects.toMatchObject({
      code: 'STORAGE',
      message: expect.stringContaining('Unlock it') as string,
    })
    await end(second)
    expect(await readFile(sealed, 'utf8')).toBe(before)
    await expect(readFile(path.join(profile, 'secrets.json'))).rejects.toMatchObject({ code: 'ENOENT' })

    const [third, open] = await started('system')
    expect(await open.servers.list()).toMatchObject([{}, { id, approval: 'approved' }])
    await end(third)
  }, 60_000)
})
