import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import {
  _electron,
  expect,
  test as base,
  type ElectronApplication,
  type Page,
  type TestInfo,
} from '@playwright/test'
import { aliveOf, descendantsOf, signalAll } from '../process-tree.ts'
import { shellExecutable } from './executable.ts'

/** Milliseconds until the window shows what its host says. */
const START_MS = 60_000

export const repository = path.resolve(import.meta.dirname, '../..')

type Fixtures = {
  /** A data folder of the test's own. */
  profile: string
  /** The compiled shell, running; whatever it started has ended when the test ends. */
  shell: ElectronApplication
  /** Its first window, connected to its host. */
  window: Page
  /** The same for tests that leave the shell as it is: one for all of them. */
  sharedShell: ElectronApplication
  sharedWindow: Page
}

type WorkerFixtures = { keptShell: ElectronApplication }

/** `npm test` and CI do without traces, which take time. */
const IS_TRACED = process.env['CI'] === undefined && process.env['PATCHBAY_TRACE'] !== 'off'

export const test = base.extend<Fixtures, WorkerFixtures>({
  profile: async ({ browserName }, use) => {
    await withProfile(browserName, use)
  },
  shell: async ({ profile }, use, info) => {
    await withShell(profile, (shell) => traced(shell, info, use))
  },
  window: async ({ shell }, use) => {
    await use(await firstWindow(shell))
  },
  keptShell: [
    async ({ browserName }, use) => {
      await withProfile(browserName, (profile) => withShell(profile, use))
    },
    { scope: 'worker' },
  ],
  sharedShell: async ({ keptShell }, use, info) => {
    await traced(keptShell, info, use)
  },
  sharedWindow: async ({ sharedShell }, use) => {
    await use(await firstWindow(sharedShell))
  },
})

async function withProfile(browserName: string, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `patchbay-shell-${browserName}-`))
  await use(folder)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function withShell(profile: string, use: (shell: ElectronApplication) => Promise<void>): Promise<void> {
  const shell = await _electron.launch({
    executablePath: shellExecutable().path,
    args: ['.', `--profile=${profile}`, '--mcp-port=0'],
    cwd: repository,
  })
  if (IS_TRACED) await shell.context().tracing.start({ screenshots: true, snapshots: true })
  const started = descendantsOf(shell.process().pid ?? 0)
  await use(shell)
  await shell.close()
  signalAll(aliveOf(started), 'SIGKILL')
}

/** Keeps what a test did, if it failed. */
async function traced(
  shell: ElectronApplication,
  info: TestInfo,
  use: (shell: ElectronApplication) => Promise<void>,
): Promise<void> {
  info.annotations.push({ type: 'executable', description: shellExecutable().kind })
  const main = shell.process()
  if (IS_TRACED) await shell.context().tracing.startChunk()
  await use(shell)
  // A test that ended the shell itself has ended its trace with it.
  if (!IS_TRACED || main.exitCode !== null || main.signalCode !== null) return
  const failed = info.status !== info.expectedStatus
  await shell.context().tracing.stopChunk(failed ? { path: info.outputPath('trace.zip') } : {})
}

/** It is there as soon as it can be, and waits for its host. */
async function firstWindow(shell: ElectronApplication): Promise<Page> {
  const window = await shell.firstWindow()
  await expect(window.getByRole('navigation', { name: 'Servers' })).toBeVisible({ timeout: START_MS })
  return window
}

export { expect }
