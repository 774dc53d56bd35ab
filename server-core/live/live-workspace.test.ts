import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtModules } from '../scripts/testing/script-workspace.test-support.ts'
import { openWorkspace, saying, type TestWorkspace } from './workspace.test-support.ts'

let modules = ''
let shared: TestWorkspace
beforeAll(async () => {
  modules = await builtModules()
  shared = await openWorkspace(modules)
})
afterAll(async () => {
  await shared.close()
  await rm(modules, { recursive: true, force: true })
})

/** The workspace with these files and no others; its processes run on. */
async function open(files: Readonly<Record<string, string>> = {}): Promise<TestWorkspace> {
  await shared.clear()
  await shared.save(files)
  await shared.live.settled()
  shared.told.splice(0)
  return shared
}

const names = ({ live }: TestWorkspace): readonly string[] => live.registry.tools().map(({ name }) => name)
const script = ({ live }: TestWorkspace, file: string) => live.scripts().find((each) => each.file === file)

describe('a workspace', () => {
  it('serves what is in its folders, and lists where it comes from', async () => {
    const workspace = await open({
      'tools/hello.ts': saying('hello'),
      'tools/more/deep.js': saying('deep'),
      'tools/hello.test.ts': 'not a script',
      'prompts/kind.ts':
        "import { prompt } from 'patchbay'\nexport default prompt({ get: () => 'Be kind.' })",
      'resources/about.ts':
        "import { resource } from 'patchbay'\nexport default resource({ uri: 'about://me', read: 'me' })",
      'patchbay.config.ts': "import { config } from 'patchbay'\nexport default config({ name: 'mine' })",
    })
    expect(names(workspace).toSorted()).toEqual(['deep', 'hello'])
    expect(await workspace.call('deep')).toBe('deep')
    const entries = workspace.live
      .entries()
      .map(({ key, state, origin }) => `${key} ${state} ${origin.label}`)
    expect(entries.toSorted()).toEqual([
      'prompt:kind served prompts/kind.ts',
      'resource:about://me served resources/about.ts',
      'tool:deep served tools/more/deep.js',
      'tool:hello served tools/hello.ts',
    ])
    expect(workspace.live.config).toMatchObject({ name: 'mine' })
    expect(workspace.live.entries().find(({ key }) => key === 'tool:deep')).toMatchObject({
      calls: 1,
      failures: 0,
    })
  })

  it('follows saves, new scripts and removed ones, each told once', async () => {
    const workspace = await open({ 'tools/a.ts': saying('one') })
    await workspace.save({ 'tools/a.ts': saying('two') })
    await workspace.until(() => script(workspace, 'tools/a.ts')?.revision === 2)
    expect(await workspace.call('a')).toBe('two')
    // Nothing that clients see is another.
    expect(workspace.told).toEqual([])
    await workspace.save({ 'tools/a.ts': saying('two', "description: 'Says it.',") })
    await workspace.until(() => workspace.told.length > 0)
    await workspace.save({ 'tools/b.ts': saying('b') })
    await workspace.until(() => names(workspace).length === 2)
    await workspace.remove('tools/a.ts')
    await workspace.until(() => names(workspace).length === 1)
    await workspace.live.settled()
    expect(workspace.told).toEqual(['tools', 'tools', 'tools'])
    expect(names(workspace)).toEqual(['b'])
  })

  it('keeps the last good revision of a broken script, with the fault at its line, and goes back to it', async () => {
    const good = saying('good')
    const workspace = await open({ 'tools/a.ts': good, 'tools/b.ts': saying('b') })
    await workspace.save({ 'tools/a.ts': `${good}const broken = {\n` })
    await workspace.until(() => script(workspace, 'tools/a.ts')?.state === 'broken')
    expect(await workspace.call('a')).toBe('good')
    expect(await workspace.call('b')).toBe('b')
    expect(script(workspace, 'tools/a.ts')).toMatchObject({
      revision: 2,
      answering: 1,
      error: { code: 'build', at: { file: 'tools/a.ts', line: 4 } },
    })
    expect(workspace.live.entries().find(({ key }) => key === 'tool:a')).toMatchObject({
      state: 'served',
      error: { code: 'build' },
    })
    expect(workspace.live.revisions('tools/a.ts')).toMatchObject([
      { revision: 2, state: 'broken', answers: false },
      { revision: 1, state: 'loaded', answers: true, text: good },
    ])
    expect(await workspace.live.backTo('tools/a.ts', 1)).toEqual(['tools/a.ts'])
    expect(script(workspace, 'tools/a.ts')).toMatchObject({ revision: 3, answering: 3, state: 'loaded' })
    expect(workspace.told).toEqual([])
    await expect(workspace.live.backTo('tools/a.ts', 99)).rejects.toMatchObject({ code: 'unknown-revision' })
  })

  it('lists a script that never loaded, while the others work', async () => {
    const workspace = await open({ 'tools/bad.ts': 'export default 5\n', 'tools/ok.ts': saying('ok') })
    expect(names(workspace)).toEqual(['ok'])
    expect(workspace.live.entries().find(({ key }) => key === 'tool:bad')).toMatchObject({
      state: 'failing',
      error: { code: 'definition' },
    })
    await workspace.save({ 'tools/bad.ts': saying('fixed') })
    await workspace.until(() => names(workspace).includes('bad'))
    expect(await workspace.call('bad')).toBe('fixed')
  })

  it('loads scripts again when what they import changes, comes or breaks', async () => {
    const importing =
      "import { tool } from 'patchbay'\nimport { word } from '../lib/word.ts'\nexport default tool({ run: () => word })\n"
    const workspace = await open({ 'tools/a.ts': importing, 'tools/b.ts': saying('b') })
    expect(script(workspace, 'tools/a.ts')).toMatchObject({ state: 'broken' })
    await workspace.save({ 'lib/word.ts': "export const word = 'one'\n" })
    await workspace.until(() => script(workspace, 'tools/a.ts')?.state === 'loaded')
    expect(await workspace.call('a')).toBe('one')
    await workspace.save({ 'lib/word.ts': "export const word = 'two'\n" })
    await workspace.until(() => script(workspace, 'tools/a.ts')?.revision === 3)
    expect(await workspace.call('a')).toBe('two')
    await workspace.save({ 'lib/word.ts': 'export const word = ' })
    await workspace.until(() => script(workspace, 'tools/a.ts')?.state === 'broken')
    expect(await workspace.call('a')).toBe('two')
    expect(script(workspace, 'tools/a.ts')?.error?.at).toMatchObject({ file: 'lib/word.ts', line: 1 })
    expect(script(workspace, 'tools/b.ts')).toMatchObject({ revision: 1 })
  })

  it('takes a branch switch as one change, and a half-written file as broken until it is whole', async () => {
    const many = (word: string) =>
      Object.fromEntries(
        Array.from({ length: 12 }, (_, n) => [`tools/t${n}.ts`, saying(word, `description: '${word}',`)]),
      )
    const workspace = await open(many('main'))
    await workspace.save(many('branch'))
    await workspace.until(() =>
      workspace.live.registry.tools().every(({ description }) => description === 'branch'),
    )
    await workspace.live.settled()
    // The system reports each file by itself; where it takes its time they are not all of one change.
    expect([...new Set(workspace.told)]).toEqual(['tools'])
    expect(workspace.told.length).toBeLessThan(12)
    const whole = saying('whole')
    await writeFile(path.join(workspace.folder, 'tools/t0.ts'), whole.slice(0, 50))
    await workspace.until(() => script(workspace, 'tools/t0.ts')?.state === 'broken')
    expect(await workspace.call('t0')).toBe('branch')
    await writeFile(path.join(workspace.folder, 'tools/t0.ts'), whole)
    await workspace.until(() => script(workspace, 'tools/t0.ts')?.state === 'loaded')
    expect(await workspace.call('t0')).toBe('whole')
  })

  it('takes a renamed script as another, and a configuration that comes for all of them', async () => {
    const workspace = await open({ 'tools/a.ts': saying('a') })
    await workspace.save({ 'tools/z.ts': saying('a') })
    await workspace.remove('tools/a.ts')
    await workspace.until(() => names(workspace).join() === 'z')
    await workspace.save({
      'patchbay.config.ts':
        "import { config } from 'patchbay'\nexport default config({ guards: [{ name: 'nobody', allows: () => false }] })",
    })
    await workspace.until(() => script(workspace, 'tools/z.ts')?.revision === 2)
    await expect(workspace.call('z')).rejects.toMatchObject({ data: { guard: 'nobody' } })
  })
})

describe('what the user changes of entries', () => {
  it('holds at once, is in patchbay.json, and goes back', async () => {
    const workspace = await open({ 'tools/m.ts': saying('m'), 'tools/n.ts': saying('n') })
    const { live } = workspace
    await live.amend('tool:m', { enabled: false })
    expect(names(workspace)).toEqual(['n'])
    await live.amend('tool:n', { name: 'bee', description: 'Hums.' })
    expect(live.registry.tools()).toMatchObject([{ name: 'bee', description: 'Hums.' }])
    expect(await workspace.call('bee')).toBe('n')
    expect(live.entries()).toMatchObject([
      { key: 'tool:m', state: 'off', enabled: false },
      { key: 'tool:n', shownName: 'bee', calls: 1, amendment: { name: 'bee' } },
    ])
    await live.amend('tool:m', undefined)
    await live.amend('tool:n', undefined)
    expect(names(workspace)).toEqual(['m', 'n'])
    expect(workspace.told).toEqual(['tools', 'tools', 'tools', 'tools'])
    await expect(live.amend('tool:nothing', { enabled: false })).rejects.toMatchObject({
      code: 'unknown-entry',
    })
  })

  it('reports overridden entries, and counts their calls too', async () => {
    const workspace = await open({ 'tools/h.ts': saying('h') })
    const { live } = workspace
    const answer = { kind: 'fixed', result: { content: [{ type: 'text', text: 'by hand' }] } }
    const overrideWith = (enabled: boolean) =>
      live.update((document) => ({ ...document, overrides: [{ key: 'tool:h', enabled, answer }] }))
    await overrideWith(true)
    expect(await workspace.call('h')).toBe('by hand')
    expect(live.entries()).toMatchObject([{ key: 'tool:h', state: 'overridden', calls: 1 }])
    expect(live.log('tools/h.ts').filter(({ kind }) => kind === 'call')).toEqual([])
    await overrideWith(false)
    expect(await workspace.call('h')).toBe('h')
    expect(live.entries()).toMatchObject([{ key: 'tool:h', state: 'served', calls: 2 }])
  })

  it('is read again when somebody else writes the file, and a fault in it leaves what held', async () => {
    const workspace = await open({ 'tools/a.ts': saying('a') })
    const { live } = workspace
    const write = (amendments: unknown) =>
      workspace.save({ 'patchbay.json': JSON.stringify({ version: 1, amendments }) })
    await write({ 'tool:a': { name: 'renamed' } })
    await workspace.until(() => names(workspace).includes('renamed'))
    await write({ 'tool:a': { name: 5 } })
    await workspace.until(() => live.faults().length > 0)
    expect(names(workspace)).toEqual(['renamed'])
    expect(live.faults()).toMatchObject([
      { code: 'patchbay.json', message: expect.stringContaining('amendments') },
    ])
    await workspace.save({ 'patchbay.json': '{"version": 1, "hand' })
    await workspace.until(() => /is not JSON/.test(live.faults()[0]?.message ?? ''))
    await write({})
    await workspace.until(() => names(workspace).includes('a') && live.faults().length === 0)
  })
})

it('reports what happened in a script: loads, calls and by whom, prints, results, errors', async () => {
  const workspace = await open({
    'tools/logged.ts':
      "import { tool } from 'patchbay'\nexport default tool({ run: ({ fail }) => {\n  console.log('asked')\n  if (fail) throw new Error('no')\n  return 'yes'\n} })\n",
  })
  await workspace.call('logged', { city: 'Bergen' })
  await workspace.call('logged', { fail: true })
  await workspace.until(
    () => workspace.live.log('tools/logged.ts').filter(({ kind }) => kind === 'stdout').length === 2,
  )
  const lines = workspace.live.log('tools/logged.ts').map(({ kind, text }) => `${kind} ${text}`)
  expect(lines).toContain('call logged {"city":"Bergen"} from a client without a name')
  expect(lines).toContain('stdout asked')
  expect(lines.some((line) => /^done [\d.]+ m?s$/.test(line))).toBe(true)
  expect(lines.some((line) => line.startsWith('error no'))).toBe(true)
  expect(lines.some((line) => /^info loaded in \d+ ms/.test(line))).toBe(true)
  expect(workspace.live.entries()).toMatchObject([{ calls: 2, failures: 1 }])
})

it('reports how an entry differs between revisions, and what breaks callers', async () => {
  const input = (properties: string) => `input: { type: 'object', properties: { ${properties} } },`
  const workspace = await open({ 'tools/a.ts': saying('a', input("city: { type: 'string' }, days: {}")) })
  await workspace.save({ 'tools/a.ts': saying('a', input("city: { type: 'string', maxLength: 9 }")) })
  await workspace.until(() => script(workspace, 'tools/a.ts')?.revision === 2)
  expect(workspace.live.differences('tool:a', 1).changes).toMatchObject([
    { part: 'input', what: 'days was removed', breaking: true },
    { part: 'input', pointer: '/properties/city/maxLength', breaking: true },
  ])
  expect(workspace.live.revisions('tools/a.ts')[0]).toMatchObject({ changedWhatClientsSee: true })
})

it('goes on with the next configuration though the one before cannot be let go of, and says so', async () => {
  const asked: unknown[] = []
  const workspace = await openWorkspace(
    modules,
    {},
    {
      configure: ({ files = [] }) => {
        asked.push(...files)
        return Promise.resolve({
          sources: [],
          faults: () => [],
          onFaults: () => () => undefined,
          close: () => (asked.length === 1 ? Promise.reject(new Error('it holds on')) : Promise.resolve()),
        })
      },
    },
  )
  const { live } = workspace
  await live.update((document) => ({ ...document, composition: { files: ['a'] } }))
  await live.settled()
  await live.update((document) => ({ ...document, composition: {} }))
  await live.settled()
  expect(live.faults()).toMatchObject([{ code: 'config', message: 'it holds on' }])
  await live.update((document) => ({ ...document, composition: { files: ['b'] } }))
  await live.settled()
  expect(asked).toHaveLength(2)
  expect(live.faults()).toEqual([])
  await workspace.close()
})
