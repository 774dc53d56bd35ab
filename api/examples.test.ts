import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withEsbuild } from '../server-core/scripts/esbuild-service.ts'
import { readPublicExports, type PublicExport } from '../tools/public-exports.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..')
const exports = [...readPublicExports()].flatMap(([entry, list]) => list.map((one) => [entry, one] as const))
const own = exports.filter(([, { isForeign }]) => !isForeign)
const examples = own.flatMap(([entry, { name, examples: codes }]) =>
  codes.map((code, index) => ({ title: `${entry}: ${name}`, code, file: fileOf(entry, name, index) })),
)
let folder: string

function fileOf(entry: string, name: string, index: number): string {
  return `${entry.replaceAll('/', '-')}-${name}-${index}.ts`
}

/** Examples that declare tests are run by Playwright. */
const isTest = ({ code }: { readonly code: string }): boolean => /^test[.(]/m.test(code)

beforeAll(async () => {
  // Inside of the package, so that it can be imported by its name.
  const build = path.join(root, '.build')
  await mkdir(build, { recursive: true })
  folder = await mkdtemp(path.join(build, 'api-examples-'))
  // One file: examinations start it again and again, and from its sources each start would load hundreds of modules.
  await withEsbuild(({ build: bundle }) =>
    bundle({
      entryPoints: [path.join(root, 'api/example-server.test-support.ts')],
      outfile: path.join(folder, 'server.js'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'silent',
    }),
  )
  for (const { file, code } of examples) await writeFile(path.join(folder, file), `${code}\n`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each(own)('of %s is documented', (_, { name, isValue, documentation, examples: codes }: PublicExport) => {
  expect(documentation, `${name} needs a docstring`).not.toBe('')
  if (isValue) expect(codes.length, `${name} needs an @example`).toBeGreaterThan(0)
})

describe('the examples', () => {
  it('compile', async () => {
    const compilerOptions = { noEmit: true, composite: false, emitDeclarationOnly: false, rootDir: root }
    const config = path.join(folder, 'tsconfig.json')
    const base = path.join(root, 'server-core/tsconfig.base.json')
    await writeFile(config, JSON.stringify({ extends: base, compilerOptions, include: ['*.ts'] }))
    const compiler = path.join(root, 'node_modules/typescript7/bin/tsc')
    const outcome = await run(process.execPath, [compiler, '-p', config, '--pretty', 'false']).catch(
      (error: unknown) => error as { readonly stdout: string },
    )
    expect(outcome.stdout).toBe('')
  }, 60_000)

  it('of tests pass in Playwright Test', async () => {
    const files = examples.filter(isTest).map(({ file }) => file)
    const config = { testDir: folder, testMatch: files, outputDir: path.join(folder, 'results') }
    const configFile = path.join(folder, 'playwright.config.js')
    await writeFile(configFile, `export default ${JSON.stringify(config)}\n`)
    const playwright = path.join(root, 'node_modules/@playwright/test/cli.js')
    const words = [playwright, 'test', '--config', configFile, '--reporter', 'json', '--workers', '1']
    const { stdout } = await run(process.execPath, words, { cwd: folder }).catch(
      (error: unknown) => error as { readonly stdout: string },
    )
    const { stats, errors } = JSON.parse(stdout) as { stats: object; errors: unknown[] }
    expect({ stats, errors }, stdout).toMatchObject({ stats: { unexpected: 0, flaky: 0 }, errors: [] })
    expect(stdout.match(/"file": "[^"]*\.ts"/g)?.length).toBeGreaterThan(0)
  }, 120_000)

  const programs = examples.filter((example) => !isTest(example))
  /** How the program of a file ended: with `undefined` if well, with the text of its error else. */
  const endings = new Map<string, string | undefined>()

  it('leave nothing open when they run', async () => {
    const files = programs.map(({ file }) => path.join(folder, file))
    const running = fork(path.join(root, 'api/run-examples.test-support.ts'), files, {
      cwd: folder,
      silent: true,
      execArgv: [],
      timeout: 240_000,
    })
    running.stdout?.resume()
    running.stderr?.resume()
    running.on('message', ({ file, error }: { readonly file: string; readonly error?: string }) => {
      const name = path.basename(file)
      endings.set(name, endings.get(name) ?? error)
    })
    expect(await once(running, 'exit')).toEqual([0, null])
  }, 300_000)

  it.each(programs)('run: $title', ({ file }) => {
    expect(endings.has(file), 'it ran').toBe(true)
    expect(endings.get(file)).toBeUndefined()
  })
})
