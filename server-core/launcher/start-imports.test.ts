import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleForNode } from './bundle-node.ts'
import { partNamed } from './parts.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Prints, when the process ends, which of Node's modules were loaded and which files. */
const REPORTER = `
const { registerHooks } = require('node:module')
const files = []
registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) files.push(url); return next(url, context) } })
process.on('exit', () => process.stderr.write('REPORT' + JSON.stringify({ modules: process.moduleLoadList, files })))
`
/** Reads its input and writes an answer, without our own modules. */
const BARE = "process.stdin.once('data', () => process.stdout.write('{}\\n'))"

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

type Loaded = { readonly modules: ReadonlySet<string>; readonly files: readonly string[] }

let folder = ''
let atStart: readonly string[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-start-'))
  const recipe = partNamed('cli')?.recipe
  if (recipe?.kind !== 'node') throw new Error('expected the command line to be built for Node')
  ;({ atStart } = await bundleForNode(root, recipe, path.join(folder, 'built')))
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(path.join(folder, 'report.cjs'), REPORTER)
  await writeFile(path.join(folder, 'bare.js'), BARE)
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Runs a file, gives it one request, and reports what it had loaded when it had answered. */
async function loadedBy(file: string, ...words: readonly string[]): Promise<Loaded> {
  const run = promisify(execFile)(
    process.execPath,
    ['--require', path.join(folder, 'report.cjs'), path.join(folder, file), ...words],
    { cwd: folder },
  )
  run.child.stdin?.end(`${JSON.stringify(INITIALIZE)}\n`)
  const { stdout, stderr } = await run
  expect(stdout).toMatch(/^\{/)
  const report = JSON.parse(stderr.slice(stderr.indexOf('REPORT') + 6)) as {
    readonly modules: readonly string[]
    readonly files: readonly string[]
  }
  const modules = report.modules.filter((name) => /^NativeModule (?!internal\/)/.test(name))
  return { modules: new Set(modules.map((name) => name.slice('NativeModule '.length))), files: report.files }
}

/** The directory of one of our modules. */
const serviceOf = (module: string): string => module.split('/').slice(0, 2).join('/')

test('a start over stdio loads no package, and of Node hardly more than a bare script loads', async () => {
  const bare = await loadedBy('bare.js')
  const ours = await loadedBy('built/patchbay.js', 'serve', '--stdio')
  expect(atStart.filter((module) => module.includes('node_modules/'))).toEqual([])
  const services = atStart.filter((module) => /^(?:server-core|examples)\//.test(module)).map(serviceOf)
  // Whatever comes to the start is paid for by every start.
  expect([...new Set(services)].sort()).toEqual([
    'examples/notes',
    'server-core/capture',
    'server-core/cli',
    'server-core/host',
    'server-core/listener',
    'server-core/ports',
    'server-core/processes',
    'server-core/product',
    'server-core/protocol',
    'server-core/registry',
    'server-core/scripts',
    'server-core/server',
    'server-core/transports',
    'server-core/workspace-file',
  ])
  // What it takes to run the start with the code that an earlier one left.
  expect([...ours.modules].filter((module) => !bare.modules.has(module))).toEqual(['vm'])
  expect(ours.files.map((file) => path.basename(file))).toEqual([
    'patchbay.js',
    // What both share.
    expect.stringMatching(/^chunk-/),
    'start.js',
  ])
})

test('the rest is there when it is needed', async () => {
  const run = promisify(execFile)(process.execPath, [
    path.join(folder, 'built/patchbay.js'),
    'list',
    '--',
    process.execPath,
    path.join(folder, 'built/patchbay.js'),
    'serve',
    '--stdio',
  ])
  const { stdout } = await run
  expect(stdout).toContain('search_notes')
})
