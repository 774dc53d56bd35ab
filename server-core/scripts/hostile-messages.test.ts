import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LoadedScript } from './script-host.ts'
import { builtModules, call, said, ScriptWorkspace } from './testing/script-workspace.test-support.ts'

const HOSTILE = `import fs from 'node:fs'
import * as workerThreads from 'node:worker_threads'
import { createHook, executionAsyncResource } from 'node:async_hooks'
import inspector from 'node:inspector'

import vm from 'node:vm'

const { MessagePort, MessageChannel } = workerThreads
const own = new WeakSet([workerThreads.parentPort!])
const done = new Set<string>()
const tried = new Map<string, WeakSet<object>>()
const blocked = new Set<string>()
let isTrying = false
let attempts = 0
const channel = () => { const both = new MessageChannel(); own.add(both.port1); own.add(both.port2); return both }
// What posts on a port that it comes upon, in every way that there is.
const look = (where: string, value: any) => {
  if (!(value instanceof MessagePort) || own.has(value) || isTrying || attempts > 200 || tried.get(where)?.has(value)) return
  attempts += 1
  isTrying = true
  tried.set(where, (tried.get(where) ?? new WeakSet()).add(value))
  const attempt = (how: string, act: () => void) => { try { act(); done.add(how) } catch (error) { if (String(error).includes('port of Patchbay')) blocked.add(where) } }
  attempt('post', () => value.postMessage({ type: 'forged' }))
  attempt('original', () => MessagePort.prototype.postMessage.call(value, { type: 'forged' }))
  attempt('transfer', () => { channel().port1.postMessage(value, [value]) })
  attempt('clone', () => structuredClone(value, { transfer: [value] }))
  attempt('worker', () => new workerThreads.Worker('', { eval: true, workerData: value, transferList: [value] }))
  attempt('move', () => workerThreads.moveMessagePortToContext(value, vm.createContext()))
  attempt('borrow', () => {
    const moved = workerThreads.moveMessagePortToContext(channel().port1, vm.createContext())
    moved.postMessage.call(value, { type: 'forged' })
  })
  isTrying = false
}
const spy = (where: string, object: object, name: string | symbol) => {
  const original = Reflect.get(object, name)
  Reflect.set(object, name, function (this: unknown, ...args: unknown[]) {
    look(where, this)
    for (const arg of args) look(where, arg)
    return Reflect.apply(original, this, args)
  })
}
const DISPATCH = Symbol.for('nodejs.internal.kHybridDispatch')
const RECEIVING = Symbol.for('nodejs.internal.kCurrentlyReceivingPorts')
export const hunt = tool({ input: z.object({ n: z.number() }), async run({ n }, ctx) {
  if (n === 0) {
    for (const name of ['postMessage', 'start', 'ref', 'unref', 'close']) spy('MessagePort.' + name, MessagePort.prototype, name)
    spy('EventTarget dispatch', EventTarget.prototype, DISPATCH)
    for (const name of ['call', 'apply', 'bind']) spy('Function.' + name, Function.prototype, name)
    for (const name of ['get', 'set']) spy('Map.' + name, Map.prototype, name)
    spy('Array.push', Array.prototype, 'push')
    spy('Promise.then', Promise.prototype, 'then')
    for (const name of ['stringify', 'parse']) spy('JSON.' + name, JSON, name)
    Object.defineProperty(Object.prototype, RECEIVING, { set(value) { look('setter', this) }, configurable: true })
    for (const name of ['target', 'data', 'ports', 'onmessage'])
      Object.defineProperty(Object.prototype, name, { configurable: true, set(value) {
        look('setter ' + name, this); look('setter ' + name, value)
        Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true })
      } })
    createHook({ init(_id, _type, _trigger, resource) { look('init', resource); look('init', executionAsyncResource()) },
      before() { look('before', executionAsyncResource()) } }).enable()
  }
  look('resource', executionAsyncResource())
  await ctx.progress(n)
  for (const value of Object.values(workerThreads.workerData ?? {})) look('workerData', value)
  const handles = (process as any)._getActiveHandles()
  for (const handle of handles) look('handles', handle)
  for (const name of Object.getOwnPropertyNames(globalThis)) look('global', (globalThis as any)[name])
  try { new inspector.Session().connect(); done.add('inspector') } catch {}
  try { new inspector.Session().connectToMainThread(); done.add('inspector of the process') } catch {}
  try { (process as any).binding('inspector'); done.add('inspector binding') } catch {}
  return JSON.stringify({ blocked: [...blocked].sort(), done: [...done] })
} })
export const post = tool({ async run() {
  for (const message of [null, 1, 'x', {}, { type: 'output' }, { type: 'fault' }, { type: 'dying' }, '{"type":"done","call":1}'])
    workerThreads.parentPort?.postMessage(message)
  await new Promise((resolve) => setTimeout(resolve, 50))
  return 'posted'
} })
const BYTES: Record<string, () => Uint8Array> = {
  'a text': () => Buffer.from('garbage that is not a message at all\\n'),
  'a message that Node cannot read': () => Buffer.from([0, 0, 0, 4, 1, 2, 3, 4]),
  'a part of a message': () => Buffer.from([0, 0, 1]),
  'the beginning of a long message': () => Buffer.concat([Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.alloc(50_000)]),
}
export const write = tool({ input: z.object({ what: z.string() }), async run({ what }, ctx) {
  fs.writeSync(3, BYTES[what]!())
  await ctx.progress(1)
  return new Promise(() => undefined)
} })
export const long = tool({ run: () => 'x'.repeat(70 * 2 ** 20) })
export const odd = tool({ run: async (_, ctx) => { await ctx.progress('much' as never); return 'sent' } })`

let modules = ''
let workspace: ScriptWorkspace
let hostile: LoadedScript
let good: LoadedScript

beforeAll(async () => {
  modules = await builtModules()
  workspace = await ScriptWorkspace.open(modules, {}, { limits: { scriptCrashes: 1_000 } })
  hostile = await workspace.script('tools/hostile.ts', HOSTILE)
  good = await workspace.script('tools/good.ts', `export const quick = tool({ run: () => 'fine' })`)
})
afterAll(async () => {
  await workspace.close()
  await rm(modules, { recursive: true, force: true })
})

describe('a script', () => {
  it('cannot post on the port to its process, wherever it comes upon it', async () => {
    const before = workspace.events.length
    let last: unknown
    for (let n = 0; n < 3; n += 1) last = said(await call(hostile, 'hunt', { n }))
    const { blocked, done } = JSON.parse(String(last)) as { blocked: string[]; done: string[] }
    expect(blocked).toContain('handles')
    // Ports of Node's own it may post on; what arrives on ours ends the Worker.
    expect(done.filter((how) => !['post', 'original', 'transfer', 'clone'].includes(how))).toEqual([])
    expect(workspace.events.slice(before).filter(({ type }) => type === 'crash')).toEqual([])
  })

  it('reaches nobody by the port that Node gives each Worker', async () => {
    expect(said(await call(hostile, 'post'))).toBe('posted')
    expect(workspace.events.filter(({ type }) => type === 'crash')).toEqual([])
  })

  it.each([
    'a text',
    'a message that Node cannot read',
    'a part of a message',
    'the beginning of a long message',
  ])('that writes %s to the channel of its process loses that process, and is named', async (what) => {
    const before = workspace.events.length
    expect(said(await call(good, 'quick'))).toBe('fine')
    const text = said(await call(hostile, 'write', { what }))
    expect(text).toMatch(/was ended, because something in it (sent|began)/)
    expect(text).toContain('tools/hostile.ts')
    const crashes = workspace.events.slice(before).filter((event) => event.type === 'crash')
    expect(crashes).toContainEqual(expect.objectContaining({ file: 'tools/hostile.ts', endedProcess: true }))
    expect(said(await call(good, 'quick'))).toBe('fine')
  })

  it('whose result is too long, or has a member of a wrong type, fails that call alone', async () => {
    const { pid } = workspace.host.state()
    expect(said(await call(hostile, 'long'))).toMatch(/has [\d,]+ bytes; at most [\d,]+ reach the server/)
    expect(said(await call(hostile, 'odd'))).toContain('a member of a wrong type')
    expect(workspace.host.state().pid).toBe(pid)
  })
})
