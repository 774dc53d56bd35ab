import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LoadedScript } from './script-host.ts'
import { builtModules, call, said, ScriptWorkspace } from './testing/script-workspace.test-support.ts'

const LOOPS = `const never = () => new Promise(() => undefined)
const endless = () => { for (;;); }
const loop = (run: (...args: any[]) => unknown) => tool({ timeout: 200, run: run as never })
export const statement = loop(endless)
export const microtasks = loop(async () => { for (;;) await null })
export const ticks = loop(() => { const again = () => process.nextTick(again); again(); return never() })
export const pattern = loop(() => /^(a+)+$/.test('a'.repeat(40) + '!'))
export const getter = loop(() => ({ get content() { return endless() } }))
export const toJson = loop(() => ({ toJSON: endless }))
export const thenable = loop(() => ({ then: endless }))
export const proxy = loop(() => new Proxy({}, { ownKeys: endless }))
export const waiting = loop(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
export const timer = loop(() => { setTimeout(endless); return never() })
export const listener = loop((_args, ctx) => { ctx.signal.addEventListener('abort', endless); return never() })
export const sorting = loop(() => { const all = [2, 1]; all.sort(() => endless() as never); return 1 })
export const printing = loop(() => { for (;;) console.log('again') })
export const starting = loop(() => { process.on('exit', endless); return endless() })`

let modules = ''
let workspace: ScriptWorkspace
let good: LoadedScript
beforeAll(async () => {
  modules = await builtModules()
  workspace = await ScriptWorkspace.open(
    modules,
    {},
    { limits: { scriptCrashes: 1_000, scriptGraceMs: 10_000 } },
  )
  good = await workspace.script('tools/good.ts', `export const quick = tool({ run: () => 'fine' })`)
})
afterAll(async () => {
  await workspace.close()
  await rm(modules, { recursive: true, force: true })
})

it.each(Array.from(LOOPS.matchAll(/export const (\w+) =/g), ([, name = '']) => name))(
  'a loop by way of %s ends its own call, names its script, and leaves the others alone',
  async (name) => {
    const loops = await workspace.script('tools/loops.ts', LOOPS)
    expect(said(await call(good, 'quick'))).toBe('fine')
    const { pid } = workspace.host.state()
    const looping = call(loops, name)
    expect(said(await call(good, 'quick'))).toBe('fine')
    const outcome = await looping
    expect(outcome.isError).toBe(true)
    expect(said(outcome)).toMatch(/tools\/loops\.ts was ended|within its time limit|ran out of memory/)
    expect(said(await call(good, 'quick'))).toBe('fine')
    expect(workspace.host.state().pid).toBe(pid)
    const others = workspace.events.filter(
      (event) => event.type === 'crash' && event.file !== 'tools/loops.ts',
    )
    expect(others).toEqual([])
  },
)

it('a loop that sends without end ends with its process, names its script, and the others are served again', async () => {
  const other = await ScriptWorkspace.open(modules)
  const quick = await other.script('tools/good.ts', `export const quick = tool({ run: () => 'fine' })`)
  const floods = await other.script(
    'tools/floods.ts',
    'export const flood = tool({ timeout: 200, run(_, ctx) { for (;;) void ctx.progress(1) } })',
  )
  expect(said(await call(floods, 'flood'))).toContain('tools/floods.ts was ended')
  expect(said(await call(quick, 'quick'))).toBe('fine')
  expect(await other.event('crash')).toMatchObject({ file: 'tools/floods.ts' })
  await other.close()
})
