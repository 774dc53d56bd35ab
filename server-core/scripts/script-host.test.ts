import { readFile, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import { MemoryStore } from '../registry/memory-store.ts'
import { ScriptedInvocation } from '../registry/scripted-invocation.test-support.ts'
import { ScriptError } from './script-error.ts'
import { builtModules, call, said, ScriptWorkspace } from './testing/script-workspace.test-support.ts'

let modules = ''
const open: ScriptWorkspace[] = []
const opened = async (
  ...given: Parameters<typeof ScriptWorkspace.open> extends [string, ...infer R] ? R : never
) => {
  const workspace = await ScriptWorkspace.open(modules, ...given)
  open.push(workspace)
  return workspace
}
let shared: ScriptWorkspace
beforeAll(async () => {
  modules = await builtModules()
  shared = await opened()
})
afterAll(async () => {
  await Promise.all(open.map((workspace) => workspace.close()))
  await rm(modules, { recursive: true, force: true })
})

const failureOf = async (loading: Promise<unknown>): Promise<ScriptError> => {
  const error = await loading.then(
    () => expect.fail('it was loaded'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ScriptError)
  return error as ScriptError
}

describe('a script', () => {
  it('is listed without a Worker, and called in one of its own', async () => {
    const script = await shared.script(
      'tools/greet.ts',

      `export default tool({ input: z.object({ name: z.string().default('you') }), run: ({ name }) => \`Hello \${name}\` })
         export const thread = tool({ run: async () => String((await import('node:worker_threads')).isMainThread) })
         export const list = [tool({ name: 'listed', run: () => 1 })]
         export const helper = () => 1`,
    )
    expect(script.view.tools().map(({ name }) => name)).toEqual(['greet', 'listed', 'thread'])
    expect(script.view.tool('greet')?.inputSchema).toMatchObject({ properties: { name: { default: 'you' } } })
    expect(shared.host.state().workers).toEqual([])
    expect(said(await call(script, 'greet'))).toBe('Hello you')
    expect(said(await call(script, 'thread'))).toBe('false')
    expect(shared.host.state().workers).toEqual([
      { file: 'tools/greet.ts', revision: script.revision, callsInFlight: 0, draining: false },
    ])
    const [memory] = await shared.host.memory()
    expect(memory).toMatchObject({ file: 'tools/greet.ts', revision: script.revision })
    expect(memory?.heapBytes).toBeGreaterThan(1_000_000)
    expect(await shared.host.load('tools/greet.ts')).toBe(script)
  })

  it('serves resources, templates and prompts too', async () => {
    await shared.write({
      'resources/all.ts': `import { resource, template, prompt, text, z } from 'patchbay'
        export const readme = resource({ uri: 'docs://readme', read: 'Read me' })
        export const page = template({
          uriTemplate: 'docs://page/{number}', variables: { number: { type: 'integer' } },
          complete: { number: ['1', '2'] },
          read: ({ number }) => \`Page \${number + 1}\`,
        })
        export const ask = prompt({ arguments: [{ name: 'what', required: true }], get: ({ what }) => [{ content: text(what) }] })`,
    })
    const { view } = await shared.host.load('resources/all.ts')
    const invocation = new ScriptedInvocation()
    expect(view.resources().map(({ name }) => name)).toEqual(['readme'])
    expect(await view.resourceFor('docs://readme')?.read(invocation)).toMatchObject({
      contents: [{ text: 'Read me' }],
    })
    expect(await view.resourceFor('docs://page/41')?.read(invocation)).toMatchObject({
      contents: [{ text: 'Page 42' }],
    })
    expect(await view.prompt('ask')?.get({ what: 'Why?' }, invocation)).toMatchObject({
      messages: [{ role: 'user', content: { text: 'Why?' } }],
    })
    const ref = { type: 'ref/resource', uri: 'docs://page/{number}' } as const
    expect(await view.complete(ref, { name: 'number', value: '' }, {}, invocation)).toMatchObject({
      values: ['1', '2'],
    })
  })

  it('is bundled with what it imports, which knows where it stands; packages are those of the workspace', async () => {
    await shared.write({
      'lib/where.ts': 'export const where: string = import.meta.dirname',
      'lib/old.cjs': 'module.exports = { old: require("node:path").basename(__filename ?? "") || 1 }',
      'node_modules/tiny/package.json': '{ "name": "tiny", "version": "1.0.0", "main": "index.js" }',
      'node_modules/tiny/index.js': 'module.exports = { size: "tiny" }',
    })
    const script = await shared.script(
      'tools/parts.ts',
      `import { where } from '../lib/where.ts'
       import tiny from 'tiny'
       import { z as own } from 'zod'
       export default tool({ input: own.object({}), run: () => ({ where, size: tiny.size, cwd: process.cwd() }) })`,
    )
    expect(script.inputs).toContain(path.join(shared.folder, 'lib', 'where.ts'))
    expect((await call(script, 'parts')).structured).toEqual({
      where: path.join(shared.folder, 'lib'),
      size: 'tiny',
      cwd: shared.folder,
    })
  })

  it('that cannot be loaded says why, and where', async () => {
    await shared.write({
      'tools/half.ts': 'export const a = 1\nexport default tool({ run() { return ',
      'tools/lost.ts': "import './not-there.ts'",
      'tools/throws.ts': "const at = () => {\n  throw new Error('no luck')\n}\nat()",
      'tools/nothing.ts': 'export default { run: () => 1 }',
      'tools/twice.ts':
        "import { tool } from 'patchbay'\nexport const a = tool({ name: 'x', run: () => 1 })\nexport const b = tool({ name: 'x', run: () => 1 })",
      'tools/wrong.ts': "import { tool } from 'patchbay'\nexport default tool({\n  handler: () => 1 })",
      'tools/ends.ts': 'process.exit(4)',
    })
    const half = await failureOf(shared.host.load('tools/half.ts'))
    expect(half).toMatchObject({
      code: 'build',
      at: { file: 'tools/half.ts', line: 2, text: expect.stringContaining('export default tool') },
    })
    expect(half.inputs).toContain(path.join(shared.folder, 'tools', 'half.ts'))
    const lost = await failureOf(shared.host.load('tools/lost.ts'))
    expect(lost).toMatchObject({ code: 'build', at: { line: 1, column: 8 } })
    expect(lost.inputs).toContain(path.join(shared.folder, 'tools', 'not-there.ts'))
    expect(await failureOf(shared.host.load('tools/throws.ts'))).toMatchObject({
      code: 'evaluation',
      message: 'tools/throws.ts could not be loaded: no luck',
      at: { file: 'tools/throws.ts', line: 2, column: 9, text: "  throw new Error('no luck')" },
    })
    expect(await failureOf(shared.host.load('tools/nothing.ts'))).toMatchObject({ code: 'definition' })
    expect(await failureOf(shared.host.load('tools/twice.ts'))).toMatchObject({
      code: 'definition',
      message: expect.stringContaining('A tool named "x"'),
      at: { file: 'tools/twice.ts', line: 3 },
    })
    expect(await failureOf(shared.host.load('tools/wrong.ts'))).toMatchObject({
      code: 'definition',
      message: expect.stringContaining('did you mean "run"'),
      at: { file: 'tools/wrong.ts', line: 2 },
    })
    expect(await failureOf(shared.host.load('tools/ends.ts'))).toMatchObject({
      code: 'evaluation',
      message: 'tools/ends.ts called process.exit(4), while it was loaded.',
      at: { line: 1, text: 'process.exit(4)' },
    })
    expect(await failureOf(shared.host.load('tools/none.ts'))).toMatchObject({ code: 'missing' })
    expect(await failureOf(shared.host.load('../outside.ts'))).toMatchObject({ code: 'missing' })
  })

  it('prints lines that name it and its call, and reports where its faults are', async () => {
    const script = await shared.script(
      'tools/prints.ts',
      `export const prints = tool({ async run() {
         await new Promise((resolve) => setTimeout(resolve, 5))
         console.log('one\\ntwo'); process.stderr.write('three\\n'); return 'done' } })
       export const fails = tool({ run() {
         throw new Error('no luck') } })`,
    )
    await call(script, 'prints')
    const of = { file: 'tools/prints.ts', revision: script.revision, call: { kind: 'tool', name: 'prints' } }
    const three = await shared.event('output', ({ text }) => text === 'three')
    expect(three).toMatchObject({ ...of, stream: 'stderr' })
    expect(shared.events).toContainEqual(
      expect.objectContaining({ type: 'output', stream: 'stdout', text: 'one' }),
    )
    expect(await call(script, 'fails')).toMatchObject({ isError: true, content: [{ text: 'no luck' }] })
    expect(await shared.event('fault', ({ file }) => file === 'tools/prints.ts')).toMatchObject({
      message: 'no luck',
      at: { file: 'tools/prints.ts', line: 6, text: "         throw new Error('no luck') } })" },
      call: { name: 'fails' },
    })
  })
})

it('that takes too long to be loaded is given up', async () => {
  const workspace = await opened({ 'tools/loops.ts': 'for (;;);' }, { limits: { scriptStartMs: 300 } })
  expect(await failureOf(workspace.host.load('tools/loops.ts'))).toMatchObject({
    code: 'timeout',
    message: 'tools/loops.ts was ended: it took longer than 0.3 s, while it was loaded.',
  })
})

it('that ends or blocks what reads it is named alone, however many are read with it', async () => {
  const good = (name: string) =>
    `import { tool } from 'patchbay'\nexport const ${name} = tool({ run: () => '${name}' })`
  const files = {
    'tools/a.ts': good('a'),
    'tools/ends.ts': 'process.exit(4)',
    'tools/b.ts': good('b'),
    'tools/broken.ts': 'export default {',
    'tools/loops.ts': 'for (;;);',
    'tools/c.ts': good('c'),
    'tools/kills.ts':
      "process.getBuiltinModule('child_process').execFileSync('kill', ['-9', String(process.pid)])",
    'tools/d.ts': good('d'),
  }
  const workspace = await opened(files, { limits: { scriptStartMs: 4_000 } })
  const loads = await Promise.allSettled(Object.keys(files).map((file) => workspace.host.load(file)))
  const outcomes = loads.map((load) =>
    load.status === 'fulfilled'
      ? load.value.view.tools().map(({ name }) => name)
      : (load.reason as ScriptError).message,
  )
  expect(outcomes).toEqual([
    ['a'],
    'tools/ends.ts called process.exit(4), while it was loaded.',
    ['b'],
    expect.stringContaining('tools/broken.ts cannot be built'),
    'tools/loops.ts was ended: it took longer than 4 s, while it was loaded.',
    ['c'],
    expect.stringMatching(/^tools\/kills.ts .*while it was loaded/),
    ['d'],
  ])
})

describe('a reload', () => {
  it('serves the new code to new calls while calls in flight finish on the old one', async () => {
    const text = (version: number) =>
      `export default tool({ run: async (_, ctx) => {
         const { go } = await ctx.elicit('Go?', { type: 'object', properties: { go: { type: 'boolean' } } })
         await ctx.store.set('last', ${version}); return \`${version} \${String(go)}\` } })
       export const quick = tool({ run: async (_, ctx) => \`${version} \${String(await ctx.store.get('last'))}\` })`
    const store = new MemoryStore()
    const answer = Promise.withResolvers<Record<string, JsonObject>>()
    const asked = Promise.withResolvers<undefined>()
    const before = await shared.script('tools/asks.ts', text(1))
    const waiting = call(
      before,
      'asks',
      {},
      new ScriptedInvocation({
        store,
        answer: () => {
          asked.resolve(undefined)
          return answer.promise
        },
      }),
    )
    await asked.promise
    const after = await shared.script('tools/asks.ts', text(2))
    expect(after.revision).toBeGreaterThan(before.revision)
    shared.host.release(before.revision)
    expect(said(await call(after, 'quick', {}, new ScriptedInvocation({ store })))).toBe('2 undefined')
    expect(shared.host.state().workers).toContainEqual({
      file: 'tools/asks.ts',
      revision: before.revision,
      callsInFlight: 1,
      draining: true,
    })
    answer.resolve({ q1: { action: 'accept', content: { go: true } } })
    expect(said(await waiting)).toBe('1 true')
    await shared.event('ended', ({ revision }) => revision === before.revision)
    expect(said(await call(after, 'quick', {}, new ScriptedInvocation({ store })))).toBe('2 1')
    // A call that had found the old entry before still runs.
    expect(said(await call(before, 'quick', {}, new ScriptedInvocation({ store })))).toBe('1 1')
  })

  it('keeps some calls that wait for their clients, and fails those that wait longest', async () => {
    const workspace = await opened({}, { limits: { drainedRuns: 1, drainedRunMs: 200 } })
    const script = await workspace.script(
      'tools/asks.ts',
      `export default tool({ run: async (_, ctx) => { await ctx.elicitUrl('Look', 'https://example.com'); return 1 } })`,
    )
    const waiting = [1, 2].map(async () => {
      const asked = Promise.withResolvers<undefined>()
      const answer = () => {
        asked.resolve(undefined)
        return new Promise<never>(() => undefined)
      }
      const outcome = call(script, 'asks', {}, new ScriptedInvocation({ answer }))
      await asked.promise
      return { outcome }
    })
    const first = await waiting[0]
    const second = await waiting[1]
    workspace.host.release(script.revision)
    expect(said((await first?.outcome) ?? { content: [] })).toContain(
      'more than 1 calls of the revision before wait',
    )
    expect(said((await second?.outcome) ?? { content: [] })).toContain('an answer did not come in')
    await workspace.event('ended')
    expect(workspace.host.state().workers).toEqual([])
  })
})

describe('the configuration', () => {
  it('applies to every script, and lets some of the environment in', async () => {
    const workspace = await opened(
      {
        'patchbay.config.ts': `import { appendFileSync } from 'node:fs'
          import { config } from 'patchbay'
          import { shared } from './lib/shared.ts'
          export default config({
            name: 'mine', environment: ['SECRET_WORD'], mounts: [{ folder: '../other', prefix: 'other' }],
            lifespan: () => { shared.starts += 1; return { value: shared, dispose: () => appendFileSync('closed', 'closed') } },
            guards: [{ name: 'door', allows: ({ name }) => name !== 'forbidden' }],
            interceptors: [async (_call, next) => \`<\${String(await next())}>\`],
            mapErrors: [() => undefined, (error) => new Error('mapped: ' + (error as Error).message)],
          })`,
        'lib/shared.ts': 'export const shared = { starts: 0 }',
      },
      { environment: { SECRET_WORD: 'sesame', OTHER: 'hidden' } },
    )
    const { config } = await workspace.host.load('patchbay.config.ts')
    expect(config).toMatchObject({ name: 'mine', mounts: [{ folder: '../other', prefix: 'other' }] })
    const script = await workspace.script(
      'tools/all.ts',
      `import { shared } from '../lib/shared.ts'
       const atTop = process.env.SECRET_WORD
       export const word = tool({ description: atTop, run: () => process.env.SECRET_WORD + String(process.env.OTHER) })
       export const starts = tool({ run: (_, ctx) => \`\${(ctx.lifespan as { starts: number }).starts} \${shared.starts}\` })
       export const forbidden = tool({ run: () => 1 })
       export const fails = tool({ run: () => { throw new Error('x') } })`,
    )
    expect(script.view.tool('word')?.description).toBe('sesame')
    expect(said(await call(script, 'word'))).toBe('<sesameundefined>')
    expect(said(await call(script, 'starts'))).toBe('<1 1>')
    await expect(call(script, 'forbidden')).rejects.toMatchObject({ data: { guard: 'door' } })
    expect(said(await call(script, 'fails'))).toBe('mapped: x')
    await workspace.write({
      'patchbay.config.ts': `import { config } from 'patchbay'\nexport default config({ mount: [] })`,
    })
    const failure = await failureOf(workspace.host.load('tools/all.ts'))
    expect(failure).toMatchObject({ code: 'config', at: { file: 'patchbay.config.ts', line: 2 } })
    expect(failure.message).toContain('Unrecognized key: "mount"')
    expect(said(await call(script, 'starts'))).toBe('<1 1>')
    await workspace.host.close()
    expect(await readFile(path.join(workspace.folder, 'closed'), 'utf8')).toBe('closed')
  })

  it('may be written in JavaScript', async () => {
    const workspace = await opened({
      'patchbay.config.mjs': `import { config } from 'patchbay'\nexport default config({ name: 'plain' })`,
    })
    expect((await workspace.host.load('patchbay.config.mjs')).config).toEqual({ name: 'plain' })
    const script = await workspace.script('tools/one.ts', `export default tool({ run: () => 1 })`)
    expect(said(await call(script, 'one'))).toBe('1')
  })
})

describe('what is known of a script', () => {
  it('is kept: another start reads none of it again', async () => {
    const first = await opened()
    const text = `import { appendFileSync } from 'node:fs'\nappendFileSync('ran', 'x')\nexport default tool({ run: () => 1 })`
    await first.script('tools/counted.ts', text)
    const ran = () => readFile(path.join(first.folder, 'ran'), 'utf8')
    expect(await ran()).toBe('x')
    await first.host.close()
    const second = await opened({}, { folder: first.folder })
    const script = await second.host.load('tools/counted.ts')
    expect(script.view.tools()).toHaveLength(1)
    expect(await ran()).toBe('x')
    expect(said(await call(script, 'counted'))).toBe('1')
    expect(await ran()).toBe('xx')
  })

  it('is kept elsewhere where the workspace cannot hold it', async () => {
    const { folder } = shared
    const inner = path.join(folder, 'inner')
    await shared.write({ 'inner/.patchbay': 'no folder', 'inner/lib/word.ts': `export const word = 'said'` })
    const workspace = await opened({}, { folder: inner, otherBundles: path.join(folder, 'bundles') })
    const text = `import { word } from '../lib/word.ts'\nexport default tool({ run: () => word })`
    expect(said(await call(await workspace.script('tools/say.ts', text), 'say'))).toBe('said')
    expect(await readdir(path.join(folder, 'bundles'))).toHaveLength(1)
  })

  it('needs no Worker while nobody calls: it ends after a while, and the process too', async () => {
    const workspace = await opened({}, { limits: { scriptIdleMs: 50 } })
    const script = await workspace.script('tools/idle.ts', `export default tool({ run: () => 1 })`)
    expect(said(await call(script, 'idle'))).toBe('1')
    await workspace.event('ended')
    await expect.poll(() => workspace.host.state()).toMatchObject({ pid: undefined, workers: [] })
    expect(said(await call(script, 'idle'))).toBe('1')
  })
})
