import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import type { Limits } from '../protocol/limits.ts'
import { ScriptedInvocation } from '../registry/scripted-invocation.test-support.ts'
import type { LoadedScript } from './script-host.ts'
import { builtModules, call, said, ScriptWorkspace } from './testing/script-workspace.test-support.ts'

let modules = ''
const PARENT = fileURLToPath(new URL('./fixtures/parent.test-support.ts', import.meta.url))

type Scene = {
  readonly workspace: ScriptWorkspace
  readonly unruly: LoadedScript
  readonly good: LoadedScript
}
/** On a busy machine a Worker takes its time to end. */
let patient: Scene
let prompt: Scene

const FULL = 'ran out of memory: it may hold 64 MB in its heap, and 192 MB together with buffers'
const UNRULY = `import { execFileSync } from 'node:child_process'
const never = () => new Promise(() => undefined)
export const loop = tool({ timeout: 200, run() { for (;;); } })
export const sleep = tool({ timeout: 200, run() { execFileSync('sleep', ['10']) } })
export const exit = tool({ run() { process.exit(3) } })
export const abort = tool({ run() { process.abort() } })
export const kill = tool({ run() { process.kill(process.pid, 'SIGKILL') } })
export const heap = tool({ run() { const all = []; for (;;) all.push(Array.from({ length: 100 }, () => ({}))) } })
export const deaf = tool({ run() { const all = []; for (;;) all.push(new Array(1_000).fill({})) } })
export const buffer = tool({ run() { const all = []; for (;;) all.push(Buffer.alloc(1_000_000, 1)) } })
export const rejection = tool({ run() { void Promise.reject(new Error('nobody looks')); return never() } })
export const timer = tool({ run() { setTimeout(() => { throw new Error('too late') }); return never() } })
export const block = tool({ run() { console.log(process.pid); for (;;); } })
export const strike = tool({ run() { execFileSync('kill', ['-9', String(process.pid)]) } })
export const cyclic = tool({ run() { const a: { self?: unknown } = {}; a.self = a; return a } })
export const getter = tool({ run() { return { get member() { throw new Error('no member') } } } })
export const print = tool({ run() {
  for (let n = 0; n < 1_000; n += 1) process.stdout.write('x'.repeat(99_999) + '\\n')
  return 'printed' } })
export const wait = tool({ async run(_, ctx) { await ctx.progress(1); return never() } })`

async function scene(limits: Partial<Limits>): Promise<Scene> {
  const bounds = { scriptCrashes: 1_000, scriptHeapMegabytes: 64, scriptMemoryMegabytes: 192 }
  const workspace = await ScriptWorkspace.open(modules, {}, { limits: { ...bounds, ...limits } })
  const [unruly, good] = await Promise.all([
    workspace.script('tools/unruly.ts', UNRULY),
    workspace.script(
      'tools/good.ts',
      `export const quick = tool({ run: () => 'fine' })
       export const hold = tool({ async run(_, ctx) { await ctx.elicitUrl('Wait', 'https://example.com'); return 'held' } })`,
    ),
  ])
  return { workspace, unruly, good }
}

beforeAll(async () => {
  modules = await builtModules()
  patient = await scene({ scriptGraceMs: 10_000 })
  prompt = await scene({})
})
afterAll(async () => {
  await Promise.all([patient.workspace.close(), prompt.workspace.close()])
  await rm(modules, { recursive: true, force: true })
})

/** A call of the good script that is in flight until it is let go. */
async function holding({ good }: Pick<Scene, 'good'>) {
  const asked = Promise.withResolvers<undefined>()
  const answer = Promise.withResolvers<Readonly<Record<string, JsonObject>>>()
  const invocation = new ScriptedInvocation({
    answer: () => {
      asked.resolve(undefined)
      return answer.promise
    },
  })
  const outcome = call(good, 'hold', {}, invocation)
  await asked.promise
  return {
    outcome,
    letGo: () => {
      answer.resolve({ q1: { action: 'accept' } })
    },
  }
}

describe('a script that', () => {
  it.each([
    ['loop', 'was ended: a handler blocked it beyond its time limit of 0.2 s', undefined],
    ['exit', 'called process.exit(3)', 6],
    ['abort', 'called process.abort()', 7],
    ['kill', 'called process.kill for its own process with SIGKILL', 8],
    ['heap', FULL, undefined],
    ['buffer', FULL, undefined],
    ['rejection', 'left a rejection unhandled: nobody looks', 12],
    ['timer', 'threw outside of its handlers: too late', 13],
  ])('does %s loses its own calls alone, is named, and runs again', async (tool, reason, line) => {
    const { workspace, unruly, good } = patient
    const held = await holding(patient)
    const pid = workspace.host.state().pid
    const outcome = await call(unruly, tool)
    const text = `The script tools/unruly.ts ${reason}. This call got no result; the next one starts it again.`
    expect(outcome).toEqual({ isError: true, content: [{ type: 'text', text }] })
    const crash = await workspace.event('crash', (event) => event.reason === reason)
    expect(crash).toMatchObject({ file: 'tools/unruly.ts', calls: 1, endedProcess: false })
    expect(crash.at?.line).toBe(line)
    expect(said(await call(good, 'quick'))).toBe('fine')
    held.letGo()
    expect(said(await held.outcome)).toBe('held')
    expect(workspace.host.state().pid).toBe(pid)
  })

  it.each([
    ['sleep', 'was ended: a handler blocked it beyond its time limit of 0.2 s'],
    ['deaf', FULL],
  ])(
    'cannot be ended, as by %s, takes its process along, and is named to those who lose theirs',
    async (tool, reason) => {
      const { workspace, unruly, good } = prompt
      const held = await holding(prompt)
      const { pid } = workspace.host.state()
      expect(said(await call(unruly, tool))).toContain(`The script tools/unruly.ts ${reason}.`)
      const lost = `The script tools/good.ts was ended with its process: tools/unruly.ts ${reason}.`
      expect(said(await held.outcome)).toContain(lost)
      const crash = await workspace.event('crash', (event) => event.endedProcess && event.reason === reason)
      expect(crash.file).toBe('tools/unruly.ts')
      expect(
        workspace.events.filter((event) => event.type === 'crash' && event.file === 'tools/good.ts'),
      ).toEqual([])
      expect(said(await call(good, 'quick'))).toBe('fine')
      expect(workspace.host.state().pid).not.toBe(pid)
    },
  )

  it.each([
    ['cyclic', 'JSON cannot carry'],
    ['getter', 'no member'],
  ])('gives what is %s has its call fail, and nothing else', async (tool, words) => {
    const { workspace, unruly } = patient
    const outcome = await call(unruly, tool)
    expect(outcome.isError).toBe(true)
    expect(said(outcome)).toContain(words)
    expect(await workspace.event('fault', ({ call: of }) => of?.name === tool)).toMatchObject({
      file: 'tools/unruly.ts',
    })
  })

  it('prints a hundred megabytes is not held up, and told how much is not shown', async () => {
    const { workspace, unruly } = patient
    expect(said(await call(unruly, 'print'))).toBe('printed')
    const rest = await workspace.event('output', ({ text }) => text.includes('are not shown'))
    expect(rest).toMatchObject({ file: 'tools/unruly.ts' })
    expect(workspace.events.filter(({ type }) => type === 'output').length).toBeLessThan(100)
  })

  it('crashes three times is switched off, until it is switched on or changed', async () => {
    const strict = await ScriptWorkspace.open(modules)
    const text = `export const exit = tool({ run() { process.exit() } })\nexport const fine = tool({ run: () => 'fine' })`
    const script = await strict.script('tools/exits.ts', text)
    for (let round = 0; round < 3; round += 1) await call(script, 'exit')
    expect(await strict.event('stopped')).toMatchObject({
      file: 'tools/exits.ts',
      reason:
        'it ended 3 times within 5 minutes when it should not have; the last time it called process.exit(0)',
    })
    expect(said(await call(script, 'fine'))).toContain(
      'The script tools/exits.ts is switched off: it ended 3 times',
    )
    strict.host.switchOn('tools/exits.ts')
    expect(said(await call(script, 'fine'))).toBe('fine')
    await strict.close()
  })
})

describe('the process', () => {
  it('that is killed from outside is replaced by the spare, and says what happened', async () => {
    const { workspace, good } = prompt
    await expect.poll(() => workspace.host.state().spareReady).toBe(true)
    const held = await holding(prompt)
    const { pid } = workspace.host.state()
    process.kill(pid ?? 0, 'SIGKILL')
    expect(said(await held.outcome)).toContain('which was killed by SIGKILL')
    expect(said(await call(good, 'quick'))).toBe('fine')
    expect(workspace.host.state().pid).not.toBe(pid)
  })

  it('ends when the host is killed, even while a handler blocks its Worker', async () => {
    const { workspace } = prompt
    const parent = spawn(process.execPath, [PARENT, workspace.folder, modules], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string]
    const pid = Number(line)
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('that took calls over reads no script any more, whose top might end it', async () => {
    const workspace = await ScriptWorkspace.open(modules)
    const holds = await workspace.script(
      'tools/holds.ts',
      `export const hold = tool({ async run(_, ctx) { await ctx.elicitUrl('Wait', 'https://example.com'); return 'held' } })`,
    )
    const held = await holding({ good: holds })
    await expect(
      workspace.script(
        'tools/ends.ts',
        `import { execFileSync } from 'node:child_process'
         execFileSync('kill', ['-9', String(process.pid)])
         export default tool({ run: () => 'never' })`,
      ),
    ).rejects.toThrow('tools/ends.ts ended the process that runs scripts')
    held.letGo()
    expect(said(await held.outcome)).toBe('held')
    await workspace.close()
  })

  it('that ends without a trace reports which scripts may have done it, and the next time which did', async () => {
    const { workspace, unruly, good } = prompt
    const held = await holding(prompt)
    const names = 'which was killed by SIGKILL while these ran: tools/good.ts, tools/unruly.ts'
    expect(said(await call(unruly, 'strike'))).toContain(names)
    expect(said(await held.outcome)).toContain(names)
    const other = await holding(prompt)
    const reason = 'ended the process that runs scripts, which was killed by SIGKILL'
    expect(said(await call(unruly, 'strike'))).toContain(`The script tools/unruly.ts ${reason}.`)
    const crash = await workspace.event(
      'crash',
      (event) => event.reason === reason && event.file === 'tools/unruly.ts',
    )
    expect(crash.calls).toBe(1)
    other.letGo()
    expect(said(await other.outcome)).toBe('held')
    expect(said(await call(good, 'quick'))).toBe('fine')
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
