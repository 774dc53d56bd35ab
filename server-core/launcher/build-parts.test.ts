import { execFile } from 'node:child_process'
import { mkdtemp, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildParts } from './build-parts.ts'
import { whyStale } from './build-stamp.ts'
import type { Part } from './parts.ts'

const run = promisify(execFile)
const repository = path.resolve(import.meta.dirname, '../..')
const part: Part = {
  name: 'cli',
  what: 'the greeter',
  folder: 'greeter',
  recipe: { kind: 'node', format: 'esm', entries: { greet: 'sources/greet.ts' } },
  watchedFolders: ['sources'],
}
let root = ''

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'patchbay-build-'))
  await mkdir(path.join(root, 'sources'))
  await symlink(path.join(repository, 'node_modules'), path.join(root, 'node_modules'))
  await writeFile(path.join(root, 'package.json'), '{"type":"module"}')
  await writeFile(path.join(root, 'package-lock.json'), '{}')
  await write('word.ts', "export const word: string = 'hello'\n")
  await write('greet.ts', "import { word } from './word.ts'\nconsole.log(word)\n")
})

afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

async function write(name: string, text: string): Promise<void> {
  await writeFile(path.join(root, 'sources', name), text)
  // A file written in the same instant as the build would count as changed while it was read.
  const past = new Date(Date.now() - 60_000)
  await utimes(path.join(root, 'sources', name), past, past)
}

async function output(): Promise<string> {
  const { stdout } = await run(process.execPath, [path.join(root, 'dist/greeter/greet.js')])
  return stdout.trim()
}

const states = async () => (await buildParts(root, [part])).map((outcome) => outcome.state)

test('builds what was never built, and leaves it alone until a source changes', async () => {
  expect(await states()).toEqual(['built'])
  expect(await output()).toBe('hello')
  expect(await states()).toEqual(['fresh'])

  await write('word.ts', "export const word: string = 'welcome'\n")
  expect(whyStale(root, part.name)).toBe('sources/word.ts changed')
  expect(await states()).toEqual(['built'])
  expect(await output()).toBe('welcome')
})

test('a file that was only touched does not count', async () => {
  await buildParts(root, [part])
  await utimes(path.join(root, 'sources/word.ts'), new Date(), new Date())
  expect(whyStale(root, part.name)).toBeUndefined()
  expect(await states()).toEqual(['fresh'])
})

test('a removed source, a new file in a watched folder and a lost output each make it stale', async () => {
  await buildParts(root, [part])
  await write('other.ts', '')
  expect(whyStale(root, part.name)).toBe('files came to or left sources')
  await rm(path.join(root, 'sources/other.ts'))
  await mkdir(path.join(root, 'sources/.patchbay'))
  await write('.patchbay/stamp', '')
  expect(whyStale(root, part.name)).toBeUndefined()
  await rm(path.join(root, 'dist/greeter/greet.js'))
  expect(whyStale(root, part.name)).toBe('dist/greeter/greet.js is missing or was changed')
})

test('a failing build says where, leaves the old one in place and is tried again', async () => {
  await buildParts(root, [part])
  await write('word.ts', 'export const word = \n')
  const [outcome] = await buildParts(root, [part])
  expect(outcome).toMatchObject({ state: 'failed', message: expect.stringContaining('sources/word.ts:2:0') })
  expect(await output()).toBe('hello')
  expect(whyStale(root, part.name)).toBe('sources/word.ts changed')
  expect((await readdir(path.join(root, 'dist'))).sort()).toEqual(['.build-stamp', 'greeter'])

  await write('word.ts', "export const word = 'again'\n")
  expect(await states()).toEqual(['built'])
  expect(await output()).toBe('again')
})

test('chunks of the build that was replaced stay for one build', async () => {
  const chunks = async () => readdir(path.join(root, 'dist/greeter/chunks'))
  await write('greet.ts', "const { word } = await import('./word.ts')\nconsole.log(word)\n")
  await buildParts(root, [part])
  const [first = ''] = await chunks()
  await write('word.ts', "export const word: string = 'second'\n")
  await buildParts(root, [part])
  expect(await chunks()).toHaveLength(2)
  await write('word.ts', "export const word: string = 'third'\n")
  await buildParts(root, [part])
  expect(await chunks()).toHaveLength(2)
  expect(await chunks()).not.toContain(first)
})

test('two builds of the same tree at once both end with a whole build', async () => {
  const both = await Promise.all([states(), states()])
  expect(both.flat().sort()).toEqual(['built', 'fresh'])
  expect(await output()).toBe('hello')
})

test('a package that is loaded late has the names it has in Node, whatever it is written in', async () => {
  const source = `const { Ajv2020 } = await import('ajv/dist/2020.js')
const formats = await import('ajv-formats')
const { WebSocketServer } = await import('ws')
console.log(new Ajv2020().validate({ type: 'number' }, 1), typeof formats.default, typeof WebSocketServer)
`
  await write('greet.ts', source)
  await write('plain.mjs', source)
  expect(await states()).toEqual(['built'])
  const { stdout } = await run(process.execPath, [path.join(root, 'sources/plain.mjs')])
  expect(stdout.trim()).toBe('true function function')
  expect(await output()).toBe(stdout.trim())
})

test('a bundled WebSocket carries a frame that has to be masked by ws itself', async () => {
  await write(
    'greet.ts',
    `import { WebSocket, WebSocketServer } from 'ws'
const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
server.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
server.on('listening', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const client = new WebSocket(\`ws://127.0.0.1:\${String(address.port)}\`)
  client.on('open', () => client.send('x'.repeat(100)))
  client.on('message', (data) => {
    console.log(String(data).length)
    client.close()
    server.close()
  })
})
`,
  )
  expect(await states()).toEqual(['built'])
  expect(await output()).toBe('100')
  expect(await readFile(path.join(root, 'dist/greeter/greet.js'), 'utf8')).not.toContain('bufferutil')
})
