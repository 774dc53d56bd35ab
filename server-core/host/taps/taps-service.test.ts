import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import type { Frame } from '../../ports/tap.ts'
import { frameRecorder } from '../../tap/recording/frame-recorder.ts'
import { AppSide } from '../../tap/stdio/app-side.ts'
import { Flow } from '../../tap/stdio/flow.ts'
import { startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A tap without processes that talks to the host of a profile. */
function startTap(profile: string) {
  const [client, toServer, server, toClient] = [
    new PassThrough(),
    new PassThrough(),
    new PassThrough(),
    new PassThrough(),
  ]
  const side: { app?: AppSide } = {}
  const record = (frame: Frame): void => side.app?.record(frame)
  const [sent, received] = [frameRecorder('sent', record), frameRecorder('received', record)]
  const flows = {
    'to-server': new Flow({ source: client, target: toServer, observe: (bytes) => sent.push(bytes) }),
    'to-client': new Flow({ source: server, target: toClient, observe: (bytes) => received.push(bytes) }),
  }
  side.app = new AppSide({
    flows,
    record,
    identity: { name: 'notes', client: 'Cursor', command: 'node n.js' },
    profile,
  })
  closing.push(() => side.app?.close())
  return { client, toServer, server, toClient }
}

async function start(): Promise<TestHost & { readonly home: string }> {
  const home = await mkdtemp(path.join(tmpdir(), 'patchbay-taps-'))
  closing.push(() => rm(home, { recursive: true, force: true }))
  const test = await startTestHost({ surroundings: { platform: 'linux', env: {}, home } })
  closing.push(() => test.close())
  return { ...test, home }
}

const RULES = {
  seed: 1,
  on: true,
  rules: [
    {
      id: 'hold',
      enabled: true,
      match: { target: 'delete_*' },
      action: { type: 'hold' as const, seconds: 60, afterwards: 'forward' as const },
    },
  ],
  conditions: {},
}

it('shows what passes a tap in the timeline, holds a message by a rule, and sends on what was edited', async () => {
  const { client: host, profile } = await start()
  const tap = startTap(profile)
  await watchUntil(host, ({ taps }) => taps?.taps.some(({ isRunning }) => isRunning) === true)
  const { taps } = await host.taps.state()
  const id = taps[0]?.id ?? ''
  expect(taps[0]).toMatchObject({ name: 'notes', client: 'Cursor', command: 'node n.js', isRunning: true })

  tap.client.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
  await watchUntil(host, ({ exchanges = [] }) =>
    exchanges.some(({ serverId, method }) => serverId === id && method === 'tools/list'),
  )

  await host.taps.saveRules({ id, rules: RULES })
  tap.toServer.read()
  const call = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_note"}}'
  const passed = once(tap.toServer, 'data')
  const waiting = watchUntil(host, (batch) => batch.taps?.taps.some(({ held }) => held.length > 0) === true)
  // What passes before the rules have arrived is not held.
  const sending = setInterval(() => tap.client.write(`${call}\n`), 20)
  await waiting
  clearInterval(sending)
  await Promise.race([passed, new Promise(setImmediate)])
  tap.toServer.resume()
  const [held] = (await host.taps.state()).taps[0]?.held ?? []
  expect(held).toMatchObject({ method: 'tools/call', target: 'delete_note', text: call, ruleId: 'hold' })
  const edited = once(tap.toServer, 'data')
  const text = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }, undefined, 2)
  await host.taps.settle({ id, message: held?.id ?? 0, outcome: 'forward', text })
  expect(String((await edited)[0])).toBe('{   "jsonrpc": "2.0",   "id": 2,   "method": "ping" }\n')
  await expect(host.taps.settle({ id, message: 999, outcome: 'drop' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await host.taps.release({ id })

  // The rules hold again for the next tap of the same client and server.
  startTap(profile)
  await watchUntil(host, (batch) => (batch.taps?.taps.length ?? 0) === 2)
  expect((await host.taps.state()).taps[1]?.rules).toMatchObject({ rules: [{ id: 'hold' }] })
})

it('rejects rules that cannot be used, and leaves those that hold', async () => {
  const { client: host, profile } = await start()
  startTap(profile)
  await watchUntil(host, ({ taps }) => (taps?.taps.length ?? 0) > 0)
  const { taps } = await host.taps.state()
  const id = taps[0]?.id ?? ''
  const rules = {
    ...RULES,
    rules: [{ id: 'x', enabled: true, match: { pattern: '(' }, action: { type: 'drop' as const } }],
  }
  await expect(host.taps.saveRules({ id, rules })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  expect((await host.taps.state()).taps[0]?.rules.rules).toEqual([])
})

it('wraps the entry of a client and restores it', async () => {
  const { client: host, home } = await start()
  const file = path.join(home, '.cursor', 'mcp.json')
  await mkdir(path.dirname(file), { recursive: true })
  const before = '{ "mcpServers": { "notes": { "command": "node", "args": ["n.js"] } } }\n'
  await writeFile(file, before)
  const entries = async () => (await host.taps.entries()).find(({ client }) => client === 'cursor')?.entries
  expect(await entries()).toMatchObject([{ name: 'notes', state: 'not-wrapped' }])
  await host.taps.wrap({ client: 'cursor', name: 'notes' })
  expect(await entries()).toMatchObject([{ name: 'notes', state: 'wrapped' }])
  expect(await readFile(file, 'utf8')).toContain('"--profile"')
  await host.taps.unwrap({ client: 'cursor', name: 'notes' })
  expect(await readFile(file, 'utf8')).toBe(before)
  await expect(host.taps.unwrap({ client: 'cursor', name: 'notes' })).rejects.toMatchObject({
    code: 'REFUSED',
  })
})
