/** Packs, installs and uses the npm package as a user does; the last line is `N passed, N failed`. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { PACKAGE_NAME } from '../../server-core/product/package-name.ts'
import { provideBrowser } from '../browser.ts'
import { repository } from '../runners/run-program.ts'
import { filesIn, installByNpm, installByPnpm, installTools, packPackage, uninstallByNpm } from './install.ts'
import { end, Installed } from './installed.ts'
import { publintMessages, typeProblems } from './linters.ts'
import { makeTestProject } from './project.ts'
import { showsTool } from './window.ts'

const LARGEST_TARBALL = 5_000_000
/** Without esbuild's own program. */
const LARGEST_INSTALLATION = 15_000_000

let passed = 0
let failed = 0

async function check(name: string, body: () => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  try {
    await body()
    passed += 1
    console.log(`ok ${name} (${Math.round(performance.now() - startedAt)} ms)`)
  } catch (error) {
    failed += 1
    console.log(`FAILED ${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What every installation has to do, with any Node. */
async function checkUse(installed: Installed, name: string, temporary: string): Promise<void> {
  await check(`${name}: lists and calls the tools of a server`, async () => {
    const server = ['--', installed.node, installed.program, 'serve', '--stdio']
    const listed = JSON.parse(await installed.run(['list', 'tools', ...server])) as {
      tools: { name: string }[]
    }
    assert.ok(listed.tools.some((tool) => tool.name === 'search_notes'))
    const result = await installed.run(['call', 'search_notes', '--arg', 'query=a', ...server])
    assert.match(result, /content/)
  })
  await check(`${name}: makes a workspace and serves it, with a script that imports zod`, async () => {
    const folder = await mkdtemp(path.join(temporary, 'workspace-'))
    await installed.run(['init', folder])
    await writeFile(path.join(folder, 'tools', 'add.ts'), TOOL)
    const served = ['--', installed.node, installed.program, 'serve', folder, '--trust', '--stdio']
    const sum = await installed.run(['call', 'add', '--arg', 'a=40', '--arg', 'b=2', ...served])
    assert.match(sum, /"sum": 42/)
    await typesHold(folder)
  })
}

const TOOL = `import { tool } from 'mcp-patchbay'
import { z } from 'zod'

export default tool({
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
})
`

/** Checks TypeScript of a folder by its own configuration. */
async function typesHold(folder: string): Promise<void> {
  const compiler = path.join(repository, 'node_modules', 'typescript7', 'bin', 'tsc')
  await promisify(execFile)(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).catch(
    (error: unknown) => {
      throw new Error((error as { readonly stdout: string }).stdout)
    },
  )
}

const PROGRAM = `import { connect } from 'mcp-patchbay/client'
import { memoryPair } from 'mcp-patchbay/memory'
import { createServer, Registry } from 'mcp-patchbay/server'
import { LATEST } from 'mcp-patchbay/protocol'
import { z } from 'mcp-patchbay'
import { parse } from 'mcp-patchbay/yaml'

const registry = new Registry()
registry.addTool({ name: 'add', input: z.object({ a: z.number() }), run: ({ a }: { a: number }) => \`\${a + 1}\` })
const server = createServer({ registry, info: { name: 'mine', version: '1.0.0' } })
const pair = memoryPair()
server.attach(pair.server)
const connection = await connect({ open: () => pair.client, identity: { name: 'me', version: '1.0.0' } })
const { items } = await connection.listTools()
console.log(JSON.stringify({ tools: items.map((tool: { name?: unknown }) => tool.name), latest: LATEST, yaml: parse('a: 1') }))
await connection.close()
await server.close()
`

const temporary = await mkdtemp(path.join(os.tmpdir(), 'patchbay-package-'))
try {
  const [tarball, tools, browser] = await Promise.all([
    packPackage(),
    installTools(),
    provideBrowser((line) => console.error(line)),
  ])
  const byNpm = path.join(temporary, 'npm')
  const byPnpm = path.join(temporary, 'pnpm')
  const root = path.join(byNpm, 'node_modules', PACKAGE_NAME)
  await installByNpm(tarball, byNpm)
  const before = await filesIn(root)

  await check('the package is small', async () => {
    const sizes = await Promise.all(before.map(async (file) => (await stat(file)).size))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    assert.ok(
      (await stat(tarball)).size <= LARGEST_TARBALL,
      `the tarball has ${(await stat(tarball)).size} bytes`,
    )
    assert.ok(total <= LARGEST_INSTALLATION, `${total} bytes are installed`)
  })
  await check('it holds built files alone', async () => {
    const foreign = before
      .map((file) => path.relative(root, file))
      .filter(
        (file) =>
          (/\.tsx?$/.test(file) && !/\.d\.ts$/.test(file)) || /\.(?:test|map)\b|node_modules/.test(file),
      )
      .filter((file) => !file.startsWith(path.join('dist', 'workspace', 'notes')))
    assert.deepEqual(foreign, [])
    const { scripts, dependencies } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      scripts?: unknown
      dependencies: object
    }
    assert.equal(scripts, undefined)
    assert.deepEqual(Object.keys(dependencies), ['esbuild'])
  })
  await check('publint finds nothing', async () => assert.deepEqual(await publintMessages(root), []))
  await check('the types resolve for every importer', async () =>
    assert.deepEqual(await typeProblems(tarball), []),
  )

  const node24 = new Installed(byNpm, process.execPath, path.join(temporary, 'home24'))
  const node22 = new Installed(byNpm, tools.node22, path.join(temporary, 'home22'))
  await checkUse(node24, 'npm, Node 24', temporary)
  await checkUse(node22, 'npm, Node 22', temporary)

  await check('the entry points compile and run from plain Node', async () => {
    await writeFile(path.join(byNpm, 'program.mts'), PROGRAM)
    const compilerOptions = { module: 'nodenext', target: 'es2024', strict: true, noEmit: true, types: [] }
    await writeFile(
      path.join(byNpm, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ['program.mts'] }),
    )
    await typesHold(byNpm)
    const output = JSON.parse(await node24.runNode(['program.mts'])) as { tools: string[]; yaml: unknown }
    assert.deepEqual([output.tools, output.yaml], [['add'], { a: 1 }])
  })
  await check('a project tests a server with it, and with its conformance checks', async () => {
    const project = path.join(temporary, 'project')
    await makeTestProject(tarball, project)
    const user = new Installed(project, process.execPath, path.join(temporary, 'home-project'))
    const words = await user.run(['test', '--reporter', 'line', '--workers', '1'])
    const [, passed = '0'] = /^\s*(\d+) passed/m.exec(words) ?? []
    assert.ok(Number(passed) >= 5, words)
    assert.doesNotMatch(words, /\d+ (?:failed|flaky)/)
  })
  await check('a program on the command line opens the window with it, connected', async () => {
    const words = ['--headless', '--mcp-port', '0', node24.node, node24.program, 'serve', '--stdio']
    const { child, printed } = node24.start(words, /Patchbay is at (\S+)/)
    try {
      const [, address = ''] = await printed
      await showsTool(address, browser, 'create_note')
    } finally {
      assert.equal(await end(child), 0)
    }
  })
  await check('the command checks its installation', async () => {
    const findings = JSON.parse(await node22.run(['doctor', '--json'])) as { name: string; state: string }[]
    assert.deepEqual(
      findings.filter(({ state }) => state === 'problem'),
      [],
    )
    assert.ok(findings.some(({ name }) => name === 'Node'))
  })
  await check('hints name the command as it is typed', async () => {
    const words = await node24.run(['lst'], 2)
    assert.match(words, /did you mean "list"/)
    assert.match(words, new RegExp(`"npx ${PACKAGE_NAME} --help"`))
  })
  await check('entries in other clients name a path that every version has', async () => {
    const file = path.join(temporary, 'mcp.json')
    await node24.run(['mcp', 'install', 'cursor', '--file', file])
    const { mcpServers } = JSON.parse(await readFile(file, 'utf8')) as {
      mcpServers: Record<string, { args: string[] }>
    }
    assert.equal(mcpServers['patchbay']?.args[0], node24.program)
    assert.match(await node24.run(['mcp', 'test', 'cursor', '--file', file, '--approve']), /"ok": true/)
  })
  await check('nothing was written into the read-only installation', async () =>
    assert.deepEqual(await filesIn(root), before),
  )
  await check('Node that is too old is refused by name', async () => {
    const words = (await readFile(path.join(root, 'bin', 'patchbay.cjs'), 'utf8')).replace(
      'process.versions.node',
      '"18.19.0"',
    )
    const copy = path.join(temporary, 'old.cjs')
    await writeFile(copy, words)
    assert.match(await node24.runNode([copy], 1), /expected Node 22\.12 or newer, this is Node 18\.19\.0/)
  })

  await installByPnpm(tarball, byPnpm, tools.pnpm)
  await checkUse(
    new Installed(byPnpm, process.execPath, path.join(temporary, 'home-pnpm')),
    'pnpm',
    temporary,
  )

  await check('it is uninstalled without a trace', async () => {
    await uninstallByNpm(PACKAGE_NAME, byNpm)
    await assert.rejects(stat(root))
  })
} finally {
  await rm(temporary, { recursive: true, force: true, maxRetries: 5 })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
