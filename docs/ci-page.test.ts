import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { buildCli, patchbay } from '../server-core/cli/cli-process.test-support.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const EVERYTHING = path.join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')

const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  branding: z.strictObject({ icon: z.string(), color: z.string() }),
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean().optional(),
      default: z.string().optional(),
    }),
  ),
  runs: z.strictObject({
    using: z.literal('composite'),
    steps: z.array(
      z.union([
        z.strictObject({
          name: z.string(),
          if: z.string().optional(),
          shell: z.literal('bash'),
          env: z.record(z.string(), z.string()),
          run: z.string(),
        }),
        z.strictObject({
          name: z.string(),
          if: z.string(),
          uses: z.string().regex(/@v\d+$/),
          with: z.record(z.string(), z.string()),
        }),
      ]),
    ),
  }),
})
const gitlabSchema = z.object({
  '.patchbay': z.object({
    variables: z.record(z.string(), z.string()),
    before_script: z.array(z.string()),
    script: z.array(z.string()),
  }),
})

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-ci-'))
  await buildCli()
  // The command that the first step installs, as it is built here.
  const command = path.join(folder, 'patchbay')
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${patchbay}" "$@"\n`)
  await chmod(command, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const readAction = async () =>
  actionSchema.parse(parse(await readFile(path.join(ROOT, 'action.yml'), 'utf8')))

/** Runs a script as the step of a job, with bash as GitHub starts it. */
async function run(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}${path.delimiter}${process.env['PATH'] ?? ''}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ])
  return { code, output: out + err }
}

const SERVER = `-- '${process.execPath}' '${EVERYTHING}' stdio`
const CHECKS = '--grep lists. --revision 2025-11-25'

it('the steps of action.yml check server-everything and compare it with its lock', async () => {
  const { inputs, runs } = await readAction()
  const given: Readonly<Record<string, string>> = {
    server: SERVER,
    checks: CHECKS,
    reports: 'reports',
    lock: 'ci.lock.json',
  }
  const valueOf = (template: string): string =>
    template.replaceAll(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_, name: string) => given[name] ?? inputs[name]?.default ?? '',
    )
  const runStep = async (name: string) => {
    const step = runs.steps.find((each) => each.name === name)
    if (step === undefined || !('run' in step)) throw new Error(`action.yml has no step "${name}"`)
    const env = Object.fromEntries(Object.entries(step.env).map(([key, value]) => [key, valueOf(value)]))
    return run(step.run, { ...env, GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md') })
  }
  const checked = await runStep('Check conformance')
  expect([0, 1], checked.output).toContain(checked.code)
  const report = JSON.parse(await readFile(path.join(folder, 'reports/conformance.json'), 'utf8')) as {
    verdict: string
  }
  expect(checked.code).toBe(report.verdict === 'failed' ? 1 : 0)
  for (const name of ['conformance.html', 'conformance.xml', 'conformance.sarif'])
    expect(await readFile(path.join(folder, 'reports', name), 'utf8')).not.toBe('')
  expect(await readFile(path.join(folder, 'summary.md'), 'utf8')).not.toBe('')

  expect((await runStep('Compare with the contract lock')).output).toContain('There is no ci.lock.json')
  expect(await run(`patchbay lock ci.lock.json ${SERVER}`, {})).toMatchObject({ code: 0 })
  expect(await runStep('Compare with the contract lock')).toMatchObject({ code: 0 })
  const stored = await readFile(path.join(folder, 'ci.lock.json'), 'utf8')
  await writeFile(
    path.join(folder, 'ci.lock.json'),
    stored.replaceAll('"echo"', '"gone"').replaceAll('"Echo', '"Gone'),
  )
  const drifted = await runStep('Compare with the contract lock')
  expect(drifted.code, drifted.output).toBe(1)
  expect(drifted.output).toContain('"breaking"')
})

it('every input of action.yml is used, and no other', async () => {
  const action = await readFile(path.join(ROOT, 'action.yml'), 'utf8')
  const used = new Set(Array.from(action.matchAll(/inputs\.([\w-]+)/g), ([, name]) => name))
  expect([...used].sort()).toEqual(Object.keys((await readAction()).inputs).sort())
})

it('the script of the GitLab template checks server-everything', async () => {
  const { '.patchbay': job } = gitlabSchema.parse(
    parse(await readFile(path.join(ROOT, 'docs/ci/gitlab.yml'), 'utf8')),
  )
  const env = {
    ...job.variables,
    PATCHBAY_SERVER: SERVER,
    PATCHBAY_CHECKS: CHECKS,
    PATCHBAY_LOCK: 'none.json',
  }
  const { code, output } = await run(job.script.join('\n'), env)
  expect([0, 1], output).toContain(code)
  expect(await readFile(path.join(folder, 'patchbay-reports/conformance.xml'), 'utf8')).toContain(
    '<testsuites',
  )
})
