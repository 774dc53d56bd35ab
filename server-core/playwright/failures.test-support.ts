import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

/** A finished run of Playwright Test, and its folder with everything that it wrote. */
export type PlaywrightRun = { readonly folder: string; readonly stdout: string; readonly code: number }

/** Runs test files in a folder of their own inside of the package, so that they import it by its name. */
export async function runTests(
  files: Readonly<Record<string, string>>,
  config: object,
): Promise<PlaywrightRun> {
  const build = path.join(root, '.build')
  await mkdir(build, { recursive: true })
  const folder = await mkdtemp(path.join(build, 'playwright-test-'))
  const server = path.join(root, 'api/example-server.test-support.ts')
  const all = {
    'server.js': `import ${JSON.stringify(server)}\n`,
    'playwright.config.js': `export default ${JSON.stringify({ testDir: '.', workers: 1, ...config })}\n`,
    ...files,
  }
  for (const [name, text] of Object.entries(all)) await writeFile(path.join(folder, name), text)
  const words = [path.join(root, 'node_modules/@playwright/test/cli.js'), 'test']
  const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1', GITHUB_ACTIONS: undefined }
  const outcome = await run(process.execPath, words, { cwd: folder, env }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error: unknown) => error as { readonly stdout: string; readonly code: number },
  )
  return { folder, stdout: outcome.stdout, code: outcome.code }
}

/** Removes what a run wrote. */
export function removeRun({ folder }: PlaywrightRun): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}
