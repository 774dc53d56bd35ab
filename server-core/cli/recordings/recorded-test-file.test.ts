import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCli, patchbay, runCli } from '../cli-process.test-support.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const require = createRequire(import.meta.url)
const [SERVER, STDIO] = ['server/mcp.js', 'server/stdio.js'].map((name) =>
  require.resolve(`@modelcontextprotocol/sdk/${name}`),
)

/** Notes under identifiers that no two runs share, and a question before one is deleted. */
const NOTES = `import { McpServer } from ${JSON.stringify(SERVER)}
import { StdioServerTransport } from ${JSON.stringify(STDIO)}
import { z } from ${JSON.stringify(require.resolve('zod'))}
import { randomBytes } from 'node:crypto'
const notes = new Map()
const server = new McpServer({ name: 'notes', version: '1' })
server.registerTool('create', { inputSchema: { title: z.string() }, outputSchema: { id: z.string(), at: z.string() } }, ({ title }) => {
  const id = 'n-' + randomBytes(6).toString('hex') + '0'
  notes.set(id, title)
  const structuredContent = { id, at: new Date().toISOString() }
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
})
server.registerTool('read', { inputSchema: { id: z.string() } }, ({ id }) =>
  notes.has(id)
    ? { content: [{ type: 'text', text: id + ': ' + notes.get(id) }] }
    : { isError: true, content: [{ type: 'text', text: 'There is no note ' + id }] })
server.registerTool('clear', {}, async () => {
  const { action } = await server.server.elicitInput({ message: 'Delete all notes?', requestedSchema: { type: 'object', properties: {} } })
  return { content: [{ type: 'text', text: process.env.SAYS ?? (action === 'accept' ? 'gone' : 'kept') }] }
})
await server.connect(new StdioServerTransport())
`

let folder = ''
let server = ''
beforeAll(async () => {
  await mkdir(path.join(root, '.build'), { recursive: true })
  folder = await mkdtemp(path.join(root, '.build', 'recorded-test-'))
  server = path.join(folder, 'notes.mjs')
  await writeFile(server, NOTES)
  await buildCli()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What Playwright's JSON report says of the tests. */
type Report = {
  readonly suites: readonly {
    readonly specs: readonly {
      readonly title: string
      readonly tests: readonly { readonly projectName: string; readonly status: string }[]
    }[]
  }[]
}

async function record(name: string): Promise<void> {
  const client = new Client({ name: 'recorder', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }))
  const args = [
    patchbay,
    'tap',
    '--profile',
    path.join(folder, 'profile'),
    '--record',
    path.join(folder, name),
  ]
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...args, '--', process.execPath, server],
      stderr: 'ignore',
    }),
  )
  await client.listTools()
  const { structuredContent } = await client.callTool({ name: 'create', arguments: { title: 'Birds' } })
  const { id } = structuredContent as { id: string }
  await client.callTool({ name: 'read', arguments: { id } })
  await client.callTool({ name: 'read', arguments: { id: 'none' } })
  await client.callTool({ name: 'clear', arguments: {} })
  await client.close()
}

it('makes tests of what a client did, which pass with the same server and fail with one that answers otherwise', async () => {
  await record('calls.ndjson')
  const made = await runCli(['recordings', 'test', 'calls.ndjson', '--out', 'tests/calls.spec.ts'], {
    cwd: folder,
  })
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('4 tests') as string })
  const spec = path.join(folder, 'tests/calls.spec.ts')
  const text = await readFile(spec, 'utf8')
  expect(text).toContain("answers.elicitation('Delete all notes?').decline()")
  expect(await readFile(path.join(folder, 'tests/calls.ndjson'), 'utf8')).toContain('patchbay-recording')
  // In this repository the package has the name of the repository.
  await writeFile(spec, text.replace("'mcp-patchbay/test'", "'patchbay/test'"))
  const changed = NOTES.replace("' + notes.get(id)", "' + notes.get(id).toUpperCase()").replace(
    "'kept'",
    "'left'",
  )
  await writeFile(path.join(folder, 'changed.mjs'), changed)
  const projects = [
    ['same', server],
    ['changed', path.join(folder, 'changed.mjs')],
  ].map(([name, file]) => ({ name, use: { server: { command: process.execPath, args: [file] } } }))
  const config = { testDir: 'tests', workers: 1, projects }
  await writeFile(path.join(folder, 'playwright.config.js'), `export default ${JSON.stringify(config)}\n`)
  const { stdout } = await runCli(['test', '--reporter', 'json'], { cwd: folder })
  const report = JSON.parse(stdout) as Report
  const outcomes = report.suites.flatMap(({ specs }) =>
    specs.flatMap(({ title, tests }) => tests.map(({ projectName, status }) => [projectName, title, status])),
  )
  expect(outcomes.filter(([, , status]) => status !== 'expected')).toEqual([
    ['changed', 'create, then read', 'unexpected'],
    ['changed', 'clear returns "kept"', 'unexpected'],
  ])
  expect(outcomes).toHaveLength(8)

  const again = await runCli(['recordings', 'test', 'calls.ndjson', '-o', 'tests/calls.spec.ts'], {
    cwd: folder,
  })
  expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining('--force') as string })
  const wrong = await runCli(['recordings', 'test', 'calls.ndjson', '-o', 'calls.txt'], { cwd: folder })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('.spec.ts') as string })
})
