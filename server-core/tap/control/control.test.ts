import { mkdtemp, rm, stat } from 'node:fs/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Frame } from '../../ports/tap.ts'
import { AppSide } from '../stdio/app-side.ts'
import { Flow } from '../stdio/flow.ts'
import { parseRules } from '../rules/rules-file.ts'
import { controlPlace } from './control-place.ts'
import { fromChannel, toChannel } from './control-messages.ts'
import { ControlServer, type ConnectedTap, type TapEvent } from './control-server.ts'

let profile = ''
const closing: (() => unknown)[] = []
beforeEach(async () => {
  profile = await mkdtemp(path.join(tmpdir(), 'patchbay-control-'))
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(profile, { recursive: true, force: true })
})

/** An app that remembers what taps said. */
async function startApp() {
  const opened = Promise.withResolvers<ConnectedTap>()
  const events: TapEvent[] = []
  const waiting: {
    readonly is: (event: TapEvent) => boolean
    readonly resolve: (event: TapEvent) => void
  }[] = []
  const server = await ControlServer.start(profile, {
    opened: (tap) => opened.resolve(tap),
    event: (_tap, event) => {
      events.push(event)
      for (const each of waiting) if (each.is(event)) each.resolve(event)
    },
    closed: () => undefined,
    asked: () => Promise.reject(new Error('unexpected request of a command line')),
  })
  const next = (is: (event: TapEvent) => boolean): Promise<TapEvent> =>
    new Promise((resolve) => {
      const found = events.find(is)
      if (found === undefined) waiting.push({ is, resolve })
      else resolve(found)
    })
  closing.push(() => server.close())
  return { server, opened: opened.promise, next, events }
}

/** A tap without processes: what is written to `client` comes out at `toServer`. */
function startTap() {
  const [client, toServer, server, toClient] = [
    new PassThrough(),
    new PassThrough(),
    new PassThrough(),
    new PassThrough(),
  ]
  const recorded: Frame[] = []
  const side: { app?: AppSide } = {}
  const record = (frame: Frame): void => {
    recorded.push(frame)
    side.app?.record(frame)
  }
  const observe = (): void => undefined
  const flows = {
    'to-server': new Flow({ source: client, target: toServer, observe }),
    'to-client': new Flow({ source: server, target: toClient, observe }),
  }
  side.app = new AppSide({
    flows,
    record,
    identity: { name: 'notes', client: 'Cursor', command: 'node n.js' },
    profile,
  })
  closing.push(() => side.app?.close())
  return { client, toServer, server, toClient, recorded }
}

const CALL = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"delete_note"}}\n'
const HOLD = { rules: [{ id: 'hold', match: { target: 'delete_*' }, action: { type: 'hold', seconds: 60 } }] }
const isHeld = (event: TapEvent): boolean => event.type === 'held' && event.held.length > 0

async function holdOne() {
  const app = await startApp()
  const tap = startTap()
  const connected = await app.opened
  connected.send({ type: 'rules', rules: parseRules(HOLD, 'rules') })
  // The rules are there once a message is held: until then messages pass.
  const held = app.next(isHeld)
  await expect
    .poll(async () => {
      tap.client.write(CALL)
      return Promise.race([
        held.then(() => true),
        new Promise((resolve) => setImmediate(() => resolve(false))),
      ])
    })
    .toBe(true)
  tap.toServer.read()
  return { app, tap, connected }
}

it('holds a message until the app decides: edited, answered or dropped', async () => {
  const { app, tap, connected } = await holdOne()
  expect(connected.hello).toMatchObject({ name: 'notes', client: 'Cursor', command: 'node n.js' })
  const event = app.events.findLast((each) => each.type === 'held')
  const [first] = event?.type === 'held' ? event.held : []
  expect(first).toMatchObject({
    method: 'tools/call',
    target: 'delete_note',
    ruleId: 'hold',
    direction: 'to-server',
  })
  const edited = CALL.trim().replace('delete_note', 'read_note')
  const through = once(tap.toServer, 'data')
  connected.send({
    type: 'settle',
    id: first?.id ?? 0,
    outcome: { type: 'forward', bytes: Buffer.from(edited).toString('base64') },
  })
  expect(String((await through)[0])).toBe(`${edited}\n`)

  tap.client.write(CALL)
  const second = await app.next(
    (each) => each.type === 'held' && each.held.some(({ id }) => id === (first?.id ?? 0) + 1),
  )
  const id = second.type === 'held' ? (second.held.at(-1)?.id ?? 0) : 0
  const back = once(tap.toClient, 'data')
  const answer = '{"jsonrpc":"2.0","id":9,"result":{}}'
  connected.send({
    type: 'settle',
    id,
    outcome: { type: 'answer', bytes: Buffer.from(answer).toString('base64') },
  })
  expect(String((await back)[0])).toBe(`${answer}\n`)
  const notes = tap.recorded
    .filter(({ kind }) => kind === 'fault')
    .map(({ bytes }) => Buffer.from(bytes).toString())
  expect(notes).toEqual([
    expect.stringContaining('held, edited: by you'),
    'rule hold: held, answered here: by you',
  ])
})

it('forwards what is held unchanged when the app goes, and records that', async () => {
  const { app, tap } = await holdOne()
  const through = once(tap.toServer, 'data')
  await app.server.close()
  expect(String((await through)[0])).toBe(CALL)
  expect(tap.recorded.map(({ bytes }) => Buffer.from(bytes).toString())).toContainEqual(
    'rule hold: held, forwarded unchanged: the app was closed',
  )
})

it('lets in who knows the token, and nobody else', async () => {
  const app = await startApp()
  const { socket, token } = controlPlace(profile)
  expect((await stat(token)).mode & 0o777).toBe(0o600)
  expect((await stat(socket)).mode & 0o777).toBe(0o600)
  let isOpened = false
  void app.opened.then(() => (isOpened = true))
  for (const line of [
    '{"type":"hello","token":"no","name":"x","command":"x","pid":1,"startedAt":1}',
    'nonsense',
    '{"type":"missed","frames":1}',
  ]) {
    const stranger = connect(socket)
    stranger.write(`${line}\n`)
    stranger.resume()
    await once(stranger, 'close')
  }
  expect(isOpened).toBe(false)
})

it('carries every kind of frame, byte for byte', () => {
  const bytes = Buffer.from([0, 255, 10])
  const http = { exchange: 1, method: 'POST', url: '/mcp', headers: { a: 'b' }, status: 200 }
  const frames: Frame[] = [
    { kind: 'message', direction: 'sent', bytes, http },
    { kind: 'invalid', direction: 'received', bytes, reason: 'no JSON' },
    { kind: 'stderr', direction: 'received', bytes },
    { kind: 'fault', direction: 'sent', bytes },
    { kind: 'lifecycle', direction: 'sent', bytes, event: 'opened', note: 'process 1 started' },
    { kind: 'http', direction: 'received', bytes, http },
  ]
  expect(frames.map((frame) => fromChannel(toChannel(frame)))).toEqual(frames)
})

it('finds a place that a system takes, also for a long profile', () => {
  expect(controlPlace(`/${'x'.repeat(200)}`).socket.length).toBeLessThan(104)
  expect(controlPlace('/p', 'win32').socket).toMatch(/^\\\\\.\\pipe\\patchbay-tap-[0-9a-f]{24}$/)
})

it('makes the folder of a profile that nothing has used, for its owner alone', async () => {
  const unused = path.join(profile, 'new', 'profile')
  const server = await ControlServer.start(unused, {
    opened: () => undefined,
    event: () => undefined,
    closed: () => undefined,
    asked: () => Promise.reject(new Error('not expected')),
  })
  closing.push(() => server.close())
  const { mode } = await stat(unused)
  if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o700)
})
