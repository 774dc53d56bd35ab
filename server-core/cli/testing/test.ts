import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { ExitCode, StartError } from '../output/exit-code.ts'
import { CONFIG_FILES, readyMadeConfig } from './ready-made-config.ts'
import type { TestCommand } from './test-flags.ts'

/**
 * `patchbay test`: runs the Playwright Test of the user's project. Rejects with a `StartError` if the project has
 * none.
 */
export async function test(command: TestCommand, signal: AbortSignal): Promise<ExitCode> {
  const folder = process.cwd()
  const playwright = playwrightOf(folder)
  const isChosen = command.passed.some((word) => word.startsWith('--config'))
  const hasOwn = CONFIG_FILES.some((name) => existsSync(path.join(folder, name)))
  const needsMade = !isChosen && (!hasOwn || overrides(command))
  const made = needsMade ? await makeConfig(command, folder) : undefined
  try {
    const config = made === undefined ? [] : ['--config', path.join(made, 'playwright.config.mjs')]
    const child = spawn(
      process.execPath,
      [playwright, 'test', ...config, ...command.passed, ...command.files],
      {
        cwd: folder,
        stdio: 'inherit',
      },
    )
    // Playwright ends its workers itself when it is asked to.
    const stop = () => child.kill('SIGTERM')
    signal.addEventListener('abort', stop, { once: true })
    const [code] = (await once(child, 'close')) as [number | null]
    signal.removeEventListener('abort', stop)
    return code === 0 ? ExitCode.ok : ExitCode.regression
  } finally {
    if (made !== undefined) await rm(made, { recursive: true, force: true })
  }
}

function overrides({ server, revisions, transports }: TestCommand): boolean {
  return server !== undefined || revisions.length + transports.length > 0
}

/** The command line of the Playwright Test that the project has. */
function playwrightOf(folder: string): string {
  try {
    const manifest = createRequire(path.join(folder, 'package.json')).resolve('@playwright/test/package.json')
    return path.join(path.dirname(manifest), 'cli.js')
  } catch (error) {
    throw new StartError(
      `the folder ${folder} has no Playwright Test. Install it: npm install --save-dev @playwright/test mcp-patchbay`,
      { cause: error },
    )
  }
}

/** In the folder itself: what a configuration names is found from where it is. */
async function makeConfig(command: TestCommand, folder: string): Promise<string> {
  const made = await mkdtemp(path.join(folder, '.patchbay-test-'))
  await writeFile(path.join(made, 'playwright.config.mjs'), readyMadeConfig(command, folder))
  return made
}
