import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { ForkProcessStarter } from '../host/processes/fork-process-starter.ts'
import type { JsonObject } from '../protocol/json.ts'
import { resourceListing } from '../registry/listing.ts'
import { MemoryStore } from '../registry/memory-store.ts'
import { ScriptedInvocation } from '../registry/scripted-invocation.test-support.ts'
import { startToolHost, type ToolHost, type ToolHostOptions } from './tool-host-process.ts'

const UNRULY = fileURLToPath(new URL('./fixtures/unruly-host.ts', import.meta.url))
const NOTES = fileURLToPath(new URL('./tool-host.ts', import.meta.url))
const LIVING = fileURLToPath(new URL('./fixtures/living-host.ts', import.meta.url))
const PARENT = fileURLToPath(new URL('./fixtures/parent.ts', import.meta.url))

const hosts: ToolHost[] = []
afterEach(() => {
  for (const host of hosts.splice(0)) host.close()
})

async function start(entry: string, more: Partial<ToolHostOptions> = {}) {
  const gone: string[] = []
  const host = await startToolHost({
    starter: new ForkProcessStarter(),
    entry,
    onGone: (reason) => gone.push(reason),
    ...more,
  })
  hosts.push(host)
  const store = new MemoryStore()
  const call = async (
    name: string,
    args: JsonObject = {},
    invocation = new ScriptedInvocation({ store }),
  ) => {
    const outcome = await host.tool(name)?.invoke(args, invocation)
    if (outcome === undefined) throw new Error(`There is no tool ${name}.`)
    return outcome
  }
  return { host, store, gone, call }
}

async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a handler that', () => {
  it('loops is ended at its time limit, and the next call gets a fresh process', async () => {
    const { host, call, gone } = await start(UNRULY)
    const before = host.pid()
    const startedAt = performance.now()
    const outcome = await call('loop')
    const took = performance.now() - startedAt
    expect(outcome).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringContaining('was ended: a handler blocked it beyond its time limit of 0.3 s') },
      ],
    })
    expect(took).toBeGreaterThan(500)
    expect(took).toBeLessThan(5_000)
    expect(gone).toHaveLength(1)
    expect(host.pid()).toBeUndefined()
    const { structured } = await call('pid')
    expect(structured).toEqual({ pid: host.pid() })
    expect(host.pid()).not.toBe(before)
  })

  it('loops after its call was cancelled is ended all the same', async () => {
    const { call, gone } = await start(UNRULY)
    const invocation = new ScriptedInvocation()
    const outcome = call('loop-after-abort', {}, invocation)
    invocation.controller.abort(new Error('cancelled'))
    expect((await outcome).isError).toBe(true)
    expect(gone).toEqual(['was ended: a handler blocked it beyond its time limit of 0.6 s'])
  })

  it.each([
    ['exit', 'exited with code 3'],
    ['die', 'was killed by SIGKILL'],
    ['throw-later', 'exited with code 1'],
    ['fill-the-heap', 'was killed by SIGABRT'],
  ])('calls %s costs the calls in flight and says so', async (tool, reason) => {
    const { call, gone } = await start(UNRULY)
    const beside = call('wait')
    const outcome = await call(tool)
    const text = `The process that runs the handlers ${reason}. This call got no result; the next one starts a new process.`
    expect(outcome).toEqual({ isError: true, content: [{ type: 'text', text }] })
    expect(await beside).toEqual(outcome)
    expect(gone).toEqual([reason])
    expect((await call('pid')).isError).toBeUndefined()
  })

  it('prints a lot does not block, and what it prints is told', async () => {
    const printed = { stdout: 0, stderr: '' }
    const complete = Promise.withResolvers<undefined>()
    const { call } = await start(UNRULY, {
      onOutput: (stream, bytes) => {
        if (stream === 'stdout') printed.stdout += bytes.length
        else printed.stderr += Buffer.from(bytes).toString()
        if (printed.stdout > 1_000_000 && printed.stderr !== '') complete.resolve(undefined)
      },
    })
    expect(await call('print')).toEqual({ content: [{ type: 'text', text: 'printed' }] })
    await complete.promise
    expect(printed).toEqual({ stdout: 1_000_001, stderr: 'to stderr\n' })
  })

  it('gives what cannot be copied gives it as JSON', async () => {
    const { call } = await start(UNRULY)
    expect((await call('uncloneable')).structured).toEqual({ n: 1, made: '1970-01-01T00:00:00.000Z' })
  })
})

describe('the process', () => {
  it('that is killed is started again, and the store is still there', async () => {
    const { host, call } = await start(UNRULY)
    await call('count')
    const pid = host.pid()
    if (pid === undefined) throw new Error('The tool host does not run.')
    const waiting = call('wait')
    await call('pid')
    process.kill(pid, 'SIGKILL')
    expect((await waiting).isError).toBe(true)
    expect((await call('count')).structured).toEqual({ count: 2 })
    expect(host.pid()).not.toBe(pid)
  })

  it('inherits nothing but a short list of variables', async () => {
    process.env['PATCHBAY_TEST_SECRET'] = 'secret'
    const { call } = await start(UNRULY)
    delete process.env['PATCHBAY_TEST_SECRET']
    const { structured } = await call('environment')
    const { names } = structured as { names: string[] }
    expect(names).not.toContain('PATCHBAY_TEST_SECRET')
    expect(names).not.toContain('PATH')
    expect(names).not.toContain('HOME')
  })

  it('gets its heap limit as an option of Node, not by a variable that a runtime may leave unread', async () => {
    const { call } = await start(UNRULY)
    const { bytes } = (await call('heap-limit')).structured as { bytes: number }
    expect(bytes).toBeGreaterThan(500 * 2 ** 20)
    expect(bytes).toBeLessThan(2 ** 30)
    const { names } = (await call('environment')).structured as { names: string[] }
    expect(names).not.toContain('NODE_OPTIONS')
  })

  it('that cannot be started says why', async () => {
    await expect(start('/nowhere/tool-host.js')).rejects.toThrow(
      'The process that should run the handlers exited with code 1.',
    )
  })

  it('ends when it is closed', async () => {
    const { host } = await start(UNRULY)
    const pid = host.pid()
    host.close()
    await untilGone(pid ?? 0)
  })

  it.each(['wait', 'loop'])('ends when its parent is killed while a handler does: %s', async (tool) => {
    const parent = spawn(process.execPath, [PARENT, UNRULY, tool], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: parent.stdout })
    const [line] = (await once(lines, 'line')) as [string]
    const pid = Number(line)
    expect(() => process.kill(pid, 0)).not.toThrow()
    parent.kill('SIGKILL')
    await untilGone(pid)
  })
})

describe('what handlers share', () => {
  const member = () => new ScriptedInvocation({ facts: { headers: { 'x-member': 'yes' } } })
  const begun = (invocation: ScriptedInvocation) =>
    new Promise<void>((resolve) => {
      invocation.emit = () => {
        resolve()
      }
    })
  const startLiving = async () => {
    let printed = ''
    const started = await start(LIVING, {
      onOutput: (_, bytes) => (printed += Buffer.from(bytes).toString()),
    })
    return { ...started, printed: () => printed }
  }

  it('opens with the first call that a guard may look at, and closes when the host is stopped', async () => {
    const { host, call, printed } = await startLiving()
    await expect(call('count')).rejects.toMatchObject({ data: { type: 'FORBIDDEN', guard: 'members' } })
    expect((await call('count', {}, member())).content).toEqual([{ type: 'text', text: '1' }])
    expect((await call('count', {}, member())).content).toEqual([{ type: 'text', text: '2' }])
    const waiting = member()
    const ready = begun(waiting)
    const aborted = call('wait', {}, waiting)
    await ready
    const pid = host.pid()
    await host.stop()
    expect(await aborted).toMatchObject({ isError: true, content: [{ text: 'The server stops.' }] })
    await untilGone(pid ?? 0)
    await expect.poll(printed).toBe('opened\nclosed\n')
    await host.stop()
  })

  it('cannot close while a handler blocks its process, which then ends at once', async () => {
    const { host, call } = await startLiving()
    const blocking = member()
    const ready = begun(blocking)
    const blocked = call('block', {}, blocking)
    await ready
    const pid = host.pid()
    await expect(host.stop()).rejects.toThrow('A handler blocks its process, so nothing was cleaned up.')
    expect((await blocked).isError).toBe(true)
    await untilGone(pid ?? 0)
  })
})

describe('the notes in a process of their own', () => {
  it('work like in process', async () => {
    const { host, call, store } = await start(NOTES)
    expect(host.tools().map(({ name }) => name)).toEqual([
      'create_note',
      'search_notes',
      'list_notes',
      'index_notes',
    ])
    const own = new ScriptedInvocation({ store })
    expect((await call('create_note', { title: 'Milk' }, own)).structured).toMatchObject({ uri: 'notes://1' })
    expect(own.changes).toEqual([{ kind: 'resources' }, { uri: 'notes://index' }])
    await call('index_notes', { pauseMs: 0 }, own)
    expect(own.emissions.map((emission) => emission.type)).toEqual([
      'progress',
      'progress',
      'progress',
      'log',
    ])
    const listed = await resourceListing(host, own)
    expect(listed.map(({ uri }) => uri)).toEqual(['notes://index', 'notes://1'])
    const prompt = await host.prompt('summarise_notes')?.get({ style: 'brief' }, own)
    expect(prompt?.messages).toHaveLength(2)
  })

  it('survive the end of the process', async () => {
    const { host, call, store } = await start(NOTES)
    await call('create_note', { title: 'Milk' })
    const pid = host.pid()
    if (pid === undefined) throw new Error('The tool host does not run.')
    process.kill(pid, 'SIGKILL')
    await untilGone(pid)
    const own = new ScriptedInvocation({ store })
    let outcome = await call('list_notes', {}, own)
    // The news of the end may take a moment: a call in between fails with it.
    if (outcome.isError === true) outcome = await call('list_notes', {}, own)
    expect(outcome.structured).toMatchObject({ total: 1, notes: [{ title: 'Milk' }] })
    expect((await host.resourceFor('notes://1')?.read(own))?.contents[0]?.['text']).toBe('# Milk\n')
  })
})
