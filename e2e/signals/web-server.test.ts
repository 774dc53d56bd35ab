import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildCli } from '../../server-core/cli/cli-process.test-support.ts'
import { freePort } from '../../server-core/free-port.test-support.ts'
import { commandOf, isListening, repository, StartedCommand, type Way } from './started-command.ts'

const SPEC = `import { expect, test } from '@playwright/test'
test('the server answers', async ({ request }) => {
  expect((await request.get('/')).status()).toBe(404)
})
`

let home = ''
beforeAll(buildCli, 60_000)
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'patchbay-web-server-'))
})
afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))

const GRACEFUL = { signal: 'SIGTERM', timeout: 10_000 }

/** Writes a Playwright project whose `webServer` is ours, and returns its address. */
async function writeProject(way: Way, gracefulShutdown?: typeof GRACEFUL): Promise<URL> {
  const port = await freePort()
  const words = [...commandOf(way), 'serve', '--http', '--port', String(port)]
  const webServer = { command: words.map((word) => `'${word}'`).join(' '), port, gracefulShutdown }
  const use = { baseURL: `http://127.0.0.1:${port}` }
  await writeFile(
    path.join(home, 'playwright.config.mjs'),
    `export default ${JSON.stringify({ testDir: home, reporter: 'line', webServer, use })}`,
  )
  await writeFile(path.join(home, 'server.spec.mjs'), SPEC)
  await symlink(path.join(repository, 'node_modules'), path.join(home, 'node_modules'))
  return new URL(use.baseURL)
}

test.each([
  ['the wrapper, killed', 'wrapper', undefined],
  ['npm, killed', 'npm', undefined],
  ['the wrapper, shut down gracefully', 'wrapper', GRACEFUL],
  ['npm, shut down gracefully', 'npm', GRACEFUL],
] as const)("as Playwright's webServer: %s at the end of the run", async (_name, way, graceful) => {
  const url = await writeProject(way, graceful)
  const cli = path.join(home, 'node_modules/@playwright/test/cli.js')
  const run = new StartedCommand([process.execPath, cli, 'test'], { home, piped: true })
  let output = ''
  run.output.on('data', (bytes: Buffer) => (output += bytes.toString()))
  run.processes()
  expect([await run.exited, output]).toEqual([0, expect.stringContaining('1 passed')])
  expect(await run.left()).toEqual([])
  expect(await isListening(url)).toBe(false)
})

test("as Playwright's webServer: the run itself is interrupted", async () => {
  const url = await writeProject('wrapper')
  await writeFile(
    path.join(home, 'server.spec.mjs'),
    SPEC.replace('async ({ request }) => {', '$&\n  console.log("started")\n  await new Promise(() => {})'),
  )
  const cli = path.join(home, 'node_modules/@playwright/test/cli.js')
  const run = new StartedCommand([process.execPath, cli, 'test', '--timeout=0'], { home, piped: true })
  await new Promise<void>((resolve) => {
    run.output.on('data', (bytes: Buffer) => {
      if (bytes.toString().includes('started')) resolve()
    })
  })
  run.processes()
  process.kill(run.pid, 'SIGINT')
  await run.exited
  expect(await run.left()).toEqual([])
  expect(await isListening(url)).toBe(false)
})
