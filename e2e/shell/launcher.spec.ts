import path from 'node:path'
import { test as base, expect } from '@playwright/test'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { descendantsOf, killSurvivors } from '../process-tree.ts'
import { Starter, type StartedApp } from '../window/start-app.ts'
import { shellExecutable } from './executable.ts'

/** `npm start` on the desktop; where Electron's executable is not there, on the stand-in. */
const test = base.extend<{ startDesktop: () => StartedApp }>({
  startDesktop: async ({ browserName }, use) => {
    const { kind, path: executable } = shellExecutable()
    const override = kind === 'stand-in' ? path.dirname(executable) : ''
    const profile = await mkdtemp(path.join(os.tmpdir(), `patchbay-desktop-${browserName}-`))
    const starter = new Starter(profile)
    await use(() => starter.start([], { ELECTRON_OVERRIDE_DIST_PATH: override }))
    starter.endAll()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  },
})

/** Waits until the shell, its host and its page run: npm, its shell and the launcher alone are fewer. */
async function waitForShell(app: StartedApp): Promise<void> {
  await expect.poll(() => descendantsOf(app.pid).length, { timeout: 60_000 }).toBeGreaterThan(5)
}

for (const whom of ['npm', 'the launcher'] as const) {
  test(`npm start opens the shell, and killing ${whom} alone ends all of it`, async ({ startDesktop }) => {
    const app = startDesktop()
    await waitForShell(app)
    const running = app.processes()
    process.kill(whom === 'npm' ? app.pid : app.launcherPid, 'SIGKILL')
    expect(await killSurvivors(running)).toEqual([])
  })
}

test('SIGTERM to npm ends the shell; a second start says that the first has the profile', async ({
  startDesktop,
}) => {
  const app = startDesktop()
  await waitForShell(app)
  const second = startDesktop()
  expect(await second.exited).toBe(0)
  expect(second.stdout).toBe('Patchbay is running with this profile already; its window comes forward.\n')
  expect(await app.end()).toEqual([])
})
