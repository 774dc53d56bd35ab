import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { writeWindowRedirect } from '../../server-core/host/window/window-redirect.ts'
import { killSurvivors, signalAll } from '../process-tree.ts'
import { expect, test } from './fixtures.ts'
import { measured } from './measuring.ts'
import { foreignSockets } from './sockets.ts'
import { repository, StartedApp } from './start-app.ts'

const run = promisify(execFile)

/** Runs `npm start` to its end and gives how it ended. */
async function startToEnd(
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const app = new StartedApp(args)
  const code = await app.exited
  return { code, stdout: app.stdout, stderr: app.stderr }
}

// How a process starts and ends is what these tests are about.
test.use({ ownProcess: true })

test('the window opens at the printed address', async ({ page, app }) => {
  await expect(page).toHaveTitle(/Patchbay/)
  expect(await app.address()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
})

test('the page that the browser is started with leads to the window', async ({ page, app, profile }) => {
  const redirect = await writeWindowRedirect(await app.address(), profile)
  await page.goto('about:blank')
  await page.goto(redirect.url)
  await expect(page.getByRole('main', { name: 'Inspector' })).toBeVisible()
  await redirect.close()
})

test('an unknown flag is named and ends with code 2', async () => {
  const { code, stdout, stderr } = await startToEnd('--brwser')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe("patchbay: Unknown option '--brwser' (npm start -- --help lists the flags)\n")
})

test('--help lists every flag', async () => {
  const { code, stdout } = await startToEnd('--help')
  expect(code).toBe(0)
  for (const flag of ['browser', 'headless', 'workspace DIR', 'profile DIR', 'port N', 'mcp-port N', 'help'])
    expect(stdout).toContain(`--${flag}`)
})

test('a port that is taken is named', async ({ profile }) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const { code, stderr } = await startToEnd('--headless', '--profile', profile, '--port', `${port}`)
  taken.close()
  expect(code).toBe(1)
  expect(stderr).toContain(`${port}`)
  expect(stderr).not.toContain('    at ')
})

test('without a desktop it says why in one line and serves the browser', async ({ starter }) => {
  const noDesktop = { DISPLAY: '', WAYLAND_DISPLAY: '', ELECTRON_OVERRIDE_DIST_PATH: '' }
  const app = starter.start([], noDesktop)
  await app.address()
  await expect
    .poll(() => app.stderr.trim())
    .toMatch(/^No desktop window: .+\. The same window is served to the browser\.$/)
  expect(await app.end()).toEqual([])
})

test('a second start on the same profile prints where the first one is', async ({ app, profile }) => {
  const second = await startToEnd('--headless', '--profile', profile)
  expect(second.code).toBe(0)
  expect(second.stdout).toContain(await app.address())
})

test('before the user connects anywhere, no socket leads away from this machine', async ({
  browser,
  starter,
  profile,
}) => {
  const page = await browser.newPage()
  const record = path.join(profile, 'sockets.ndjson')
  const witness = path.join(import.meta.dirname, 'socket-witness.mjs')
  const app = starter.start(['--headless', '--port', '0'], {
    NODE_OPTIONS: `--import=${witness}`,
    PATCHBAY_SOCKET_WITNESS: record,
    // npm's own look for a newer npm, once a week, is not the app's.
    npm_config_update_notifier: 'false',
  })
  await page.goto(await app.address())
  await page.getByRole('treeitem', { name: /list_notes/ }).click()
  await page.getByRole('button', { name: /^Run/ }).click()
  await expect(page.getByText(/matches outputSchema/)).toBeVisible()
  expect(foreignSockets(app.processes())).toEqual([])
  await page.close()
  expect(await app.end()).toEqual([])
  const attempts = (await readFile(record, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { what: string; target: string })
  // The window's server and the embedded one wait on loopback: a witness that saw nothing would prove nothing.
  expect(attempts.map(({ what }) => what)).toContain('listen')
  const isHere = (target: string): boolean => /^(127\.|::1$|localhost$|[/\\])/.test(target)
  expect(attempts.filter(({ target }) => !isHere(target))).toEqual([])
})

test.describe('everything ends', () => {
  test('with Ctrl-C', async ({ starter }) => {
    // A terminal sends the signal to every process of the group.
    const app = starter.start(['--headless'])
    await app.address()
    const running = app.processes()
    signalAll(running, 'SIGINT')
    expect(await killSurvivors(running)).toEqual([])
  })

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const whom of ['npm', 'the launcher'] as const) {
      test(`with ${signal} to ${whom} alone`, async ({ starter }) => {
        const app = starter.start(['--headless'])
        await app.address()
        const running = app.processes()
        process.kill(whom === 'npm' ? app.pid : app.launcherPid, signal)
        expect(await killSurvivors(running)).toEqual([])
      })
    }
  }

  test('also while a profile stays usable for the next start', async ({ starter }) => {
    const first = starter.start(['--headless'])
    await first.address()
    const running = first.processes()
    process.kill(first.launcherPid, 'SIGKILL')
    await killSurvivors(running)
    const second = starter.start(['--headless'])
    await second.address()
    expect(await second.end()).toEqual([])
  })
})

test('nothing is stale after a build, and a start knows it soon', async () => {
  const parts = ['host', 'tool-host', 'renderer', 'shell', 'preload']
  await run('node', ['server-core/launcher/build.ts', ...parts], { cwd: repository })
  const code = `
    const { whyStale } = await import('./server-core/launcher/build-stamp.ts')
    const startedAt = performance.now()
    const reasons = ${JSON.stringify(parts)}.flatMap((part) => whyStale(process.cwd(), part) ?? [])
    process.stdout.write(JSON.stringify({ reasons, ms: performance.now() - startedAt }))`
  const { stdout } = await run('node', ['--input-type=module', '-e', code], { cwd: repository })
  const { reasons, ms } = JSON.parse(stdout) as { reasons: string[]; ms: number }
  expect(reasons).toEqual([])
  measured('check for what is stale', ms)
})
