import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { _electron, expect, test as base, type ElectronApplication, type Page } from '@playwright/test'
import { aliveOf, descendantsOf } from '../process-tree.ts'
import { shellExecutable } from './executable.ts'

/** Milliseconds until the window shows what its host says. */
const START_MS = 60_000

export const repository = path.resolve(import.meta.dirname, '../..')

type Fixtures = {
  /** A data folder of the test's own. */
  profile: string
  /** The compiled shell, running; whatever it started is gone when the test ends. */
  shell: ElectronApplication
  /** Its first window, connected to its host. */
  window: Page
}

export const test = base.extend<Fixtures>({
  profile: async ({ browserName }, use) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), `patchbay-shell-${browserName}-`))
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
  shell: async ({ profile }, use, info) => {
    const { kind, path: executablePath } = shellExecutable()
    info.annotations.push({ type: 'executable', description: kind })
    const shell = await _electron.launch({
      executablePath,
      args: ['.', `--profile=${profile}`, '--mcp-port=0'],
      cwd: repository,
    })
    await shell.context().tracing.start({ screenshots: true, snapshots: true })
    const main = shell.process()
    const started = descendantsOf(main.pid ?? 0)
    await use(shell)
    const failed = info.status !== info.expectedStatus
    const ended = main.exitCode !== null || main.signalCode !== null
    // A test that ended the shell itself has ended its trace with it.
    if (!ended) await shell.context().tracing.stop(failed ? { path: info.outputPath('trace.zip') } : {})
    await shell.close()
    for (const left of aliveOf(started)) process.kill(left, 'SIGKILL')
  },
  window: async ({ shell }, use) => {
    const window = await shell.firstWindow()
    // It is there as soon as it can be, and waits for its host.
    await expect(window.getByRole('navigation', { name: 'Servers' })).toBeVisible({ timeout: START_MS })
    await use(window)
  },
})

export { expect }
