import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectTo } from '../../../client/connect-to.ts'
import { replaceFile } from '../../../workspace/atomic-file.ts'
import { TrustStore } from '../../../profile/trust-store.ts'
import { buildCli, patchbay, runCli, ServeProcess } from '../../cli-process.test-support.ts'

const GREET = 'tools/greet.ts'
let base = ''
let folder = ''
let profile = ''

beforeAll(async () => {
  await buildCli()
  base = await mkdtemp(path.join(tmpdir(), 'patchbay-serve-'))
  folder = path.join(base, 'mine')
  profile = path.join(base, 'profile')
}, 120_000)

afterAll(async () => {
  await rm(base, { recursive: true, force: true })
})

it('makes a workspace once, and leaves what is there as it is', async () => {
  const made = await runCli(['init', folder], { cwd: base })
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toContain(`made ${GREET}`)
  expect(await readFile(path.join(folder, '.patchbay/types/stamp'), 'utf8')).not.toBe('')
  await writeFile(path.join(folder, 'README.md'), 'mine')
  const again = await runCli(['init', folder], { cwd: base })
  expect(again.stdout).toContain(`kept ${GREET}, which was there`)
  expect(await readFile(path.join(folder, 'README.md'), 'utf8')).toBe('mine')
  expect(await runCli(['init', folder, 'more'], { cwd: base })).toMatchObject({ code: 2 })
})

it('runs nothing of a folder that is not trusted, and says how it could', async () => {
  const refused = await runCli(['serve', folder, '--stdio', '--profile', profile], { cwd: base, input: '' })
  expect(refused.code).not.toBe(0)
  expect(refused.stdout).toBe('')
  expect(refused.stderr).toContain('is not trusted, so nothing of it runs')
  expect(refused.stderr).toContain('--trust')
  expect(await runCli(['serve', path.join(base, 'nowhere'), '--trust'], { cwd: base })).toMatchObject({
    stderr: expect.stringContaining('patchbay init'),
  })
})

it('ends with one error where scripts cannot be bundled', async () => {
  // The built program without the packages beside it.
  const program = path.join(base, 'program')
  for (const part of ['cli', 'scripts', 'workspace'])
    await cp(path.join(path.dirname(patchbay), '..', part), path.join(program, part), { recursive: true })
  const words = [path.join(program, 'cli/patchbay.js'), 'serve', folder, '--trust', '--stdio']
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...words, '--profile', path.join(base, 'other')],
    {
      cwd: base,
      input: '',
      encoding: 'utf8',
    },
  )
  expect({ status, stdout }).toEqual({ status: 4, stdout: '' })
  expect(stderr).toContain('npm install esbuild')
  expect(stderr.match(/Cannot find package 'esbuild'/g)).toHaveLength(1)
})

it('serves one over every transport, tells clients of what is saved, and names what is broken', async () => {
  await mkdir(profile)
  await new TrustStore(path.join(profile, 'trust.json'), 'leave').trust(folder)
  const words = [folder, '--http', '--sse', '--ws', '--profile', profile]
  const served = new ServeProcess(words, { cwd: base })
  const urls = await served.addresses(3)
  const changed = Promise.withResolvers<undefined>()
  const identity = { name: 'test', version: '1' }
  const connections = await Promise.all(
    urls.map((url) =>
      connectTo(
        { transport: url.startsWith('ws') ? 'websocket' : url.endsWith('/sse') ? 'sse' : 'http', url },
        { identity, listeners: { listChanged: () => changed.resolve(undefined) } },
      ),
    ),
  )
  for (const connection of connections) {
    const called = await connection.request('tools/call', { name: 'greet', arguments: { name: 'Ann' } })
    expect(called.result).toMatchObject({ structuredContent: { greetings: ['Hello, Ann!'] } })
  }
  const text = await readFile(path.join(folder, GREET), 'utf8')
  // Each in one step: a file that is empty for a moment would be a revision of its own.
  await replaceFile(path.join(folder, GREET), text.replace('Greets somebody', 'Welcomes somebody'), 0o644)
  await changed.promise
  const { items } = await (connections[0]?.listTools() ?? Promise.reject(new Error('no connection')))
  expect(JSON.stringify(items)).toContain('Welcomes somebody')
  await replaceFile(path.join(folder, GREET), `${text}const broken = {\n`, 0o644)
  // The file is named once, as an editor or a terminal makes a link of it; so is what is deprecated, by our log.
  await served.tells(/^patchbay: error: tools\/greet\.ts:\d+:\d+ \(revision 3\): cannot be built: [^/]*$/m)
  await served.tells(/^patchbay: info: The MCP transport HTTP\+SSE is deprecated/m)
  const still = await connections[1]?.request('tools/call', { name: 'greet', arguments: { name: 'Bo' } })
  expect(still?.result).toMatchObject({ structuredContent: { greetings: ['Hello, Bo!'] } })
  await mkdir(path.join(folder, 'inner/tools'), { recursive: true })
  await writeFile(path.join(folder, 'inner/tools/bad.ts'), 'export default }\n')
  const shop = path.join(folder, 'shop.yaml')
  await writeFile(shop, 'openapi: 3.1.0\ninfo: { title: A shop, version: "1" }\npaths: {}\n')
  await replaceFile(
    path.join(folder, 'patchbay.config.ts'),
    `import { config } from 'patchbay'
export default config({
  openapi: [{ document: 'shop.yaml', baseUrl: 'http://127.0.0.1:9' }],
  proxies: [{ server: 'Nobody' }],
  mounts: [{ folder: 'inner', prefix: 'inner' }],
})
`,
    0o644,
  )
  await served.tells(/patchbay\.config\.ts \(revision 2\): loaded/)
  const [own, usual] = [folder, path.join(profile, 'workspace')].map((each) =>
    path.join(each, 'patchbay.json'),
  )
  await served.tells(
    new RegExp(`error: .*no server "Nobody" in ${usual}.* ${own} has none of that name either`),
  )
  await served.tells(/error: .*tools\/bad\.ts cannot be built: .*\(tools\/bad\.ts:1:\d+\)/)
  await writeFile(shop, 'openapi: 3.1.0\npaths: {')
  await served.tells(/error: .*shop\.yaml/)
  await writeFile(shop, 'openapi: 3.1.0\ninfo: { title: A shop, version: "2" }\npaths: {}\n')
  await served.tells(/info: over: .*shop\.yaml/)
  await Promise.all(connections.map((connection) => connection.close()))
  expect(await served.end()).toBe(0)
}, 60_000)

it('says which name of a saved script is taken, and when it is free', async () => {
  const other = path.join(base, 'other')
  await runCli(['init', other], { cwd: base })
  const served = new ServeProcess([other, '--trust', '--http', '--profile', profile], { cwd: base })
  await served.addresses()
  const second = path.join(other, 'tools/second.ts')
  const text = (name: string) =>
    `import { tool } from 'patchbay'\nexport default tool({ name: '${name}', run: () => 'second' })\n`
  await writeFile(second, text('greet'))
  await served.tells(
    /^patchbay: error: the tool "greet" is in .*greet\.ts" and in .*second\.ts"; that of .*greet/m,
  )
  await writeFile(second, text('welcome'))
  await served.tells(/^patchbay: info: over: the tool "greet" is in/m)
  expect(await served.end()).toBe(0)
}, 60_000)
