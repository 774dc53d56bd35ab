import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ForkProcessStarter } from '../../processes/fork-process-starter.ts'
import type { Question } from '../question.ts'
import { RuleError } from '../rule-error.ts'
import { bundleModule } from '../../scripts/bundle-module.ts'
import { approvable, compareApproval, type ApprovedScript } from './approval-hash.ts'
import { answerByScript, type ScriptParts } from './run-script.ts'

const QUESTION: Question = {
  kind: 'elicitation-form',
  method: 'elicitation/create',
  revision: '2025-11-25',
  params: { message: 'Which city?' },
  bytes: new Uint8Array(),
  server: { id: 's', name: 'weather' },
}

let folder: string
type Approved = Omit<ApprovedScript, 'files'> & Partial<ApprovedScript>
const approved = new Map<string, Approved>()
const pids: number[] = []
const starter = new ForkProcessStarter()
const parts: ScriptParts = {
  starter: {
    start: async (request) => {
      const started = await starter.start(request)
      pids.push(started.pid)
      return started
    },
  },
  entry: path.join(import.meta.dirname, 'script-process.ts'),
  approval: (file, now) => Promise.resolve(compareApproval(approved.get(file), now)),
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-scripts-')))
})

async function script(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, text)
  // What cannot be bundled cannot be approved either.
  const bundle = await bundleModule(file).catch(() => undefined)
  if (bundle !== undefined) approved.set(file, approvable(file, bundle))
  return file
}

/** Why a script does not run; no process is started for it. */
async function refused(file: string): Promise<string> {
  const none = { ...parts, starter: { start: () => expect.fail('a process was started') } }
  return failure(answerByScript({ file }, QUESTION, none, new AbortController().signal))
}

function run(file: string, timeoutMs?: number, signal = new AbortController().signal) {
  return answerByScript({ file, timeoutMs }, QUESTION, parts, signal)
}

async function failure(running: Promise<unknown>): Promise<string> {
  const error = await running.then(
    () => expect.fail('an answer came'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(RuleError)
  const { message, told } = error as RuleError
  expect(told).not.toContain(folder)
  return message
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.concurrent('a script', () => {
  it('answers with what it makes of the question, in a process of its own without our environment', async () => {
    process.env['PATCHBAY_TEST_SECRET'] = 'hidden'
    const file = await script(
      'answers.ts',
      `type Question = { kind: string; params: { message: string }; server: { name: string } }
       export default async ({ kind, params, server }: Question) => ({
         action: 'accept',
         content: { kind, said: params.message, by: server.name, secret: process.env.PATCHBAY_TEST_SECRET ?? 'none' },
       })`,
    )
    expect(await run(file)).toEqual({
      action: 'accept',
      content: { kind: 'elicitation-form', said: 'Which city?', by: 'weather', secret: 'none' },
    })
  })

  it('that was not approved, or was changed since, is not run', async () => {
    const file = await script('changed.mjs', 'export default () => ({ action: "decline" })')
    expect(await run(file)).toEqual({ action: 'decline' })
    await writeFile(file, 'export default () => ({ action: "accept" })')
    expect(await refused(file)).toContain(`was not approved as it is now: ${file} was changed since`)
    const other = path.join(folder, 'never-approved.mjs')
    await writeFile(other, 'export default () => ({ action: "accept" })')
    expect(await refused(other)).toContain('was not approved. Review it')
  })

  it('is not run once a file changed that it imports, directly or not, until it is approved again', async () => {
    const below = path.join(folder, 'below')
    await mkdir(below)
    const [direct, indirect, data] = ['direct.ts', 'indirect.ts', 'data.json'].map((name) =>
      path.join(below, name),
    )
    if (direct === undefined || indirect === undefined || data === undefined) throw new Error('three files')
    await writeFile(
      direct,
      `import { city } from './indirect.ts'\nexport const accept = () => ({ action: 'accept', content: { city } })`,
    )
    await writeFile(
      indirect,
      `import data from './data.json' with { type: 'json' }\nexport const city: string = data.city`,
    )
    await writeFile(data, '{"city":"Bergen"}')
    const text = `import { accept } from './below/direct.ts'\nexport default accept`
    const file = await script('imports.ts', text)
    const answer = (city: string) => ({ action: 'accept', content: { city } })
    expect(await run(file)).toEqual(answer('Bergen'))
    for (const [changed, to, city] of [
      [data, '{"city":"Oslo"}', 'Oslo'],
      [indirect, `export const city = 'Narvik'`, 'Narvik'],
      [direct, `export const accept = () => ({ action: 'accept', content: { city: 'Moss' } })`, 'Moss'],
    ] as const) {
      await writeFile(changed, to)
      expect(await refused(file)).toContain(changed)
      await script('imports.ts', text)
      expect(await run(file)).toEqual(answer(city))
    }
  })

  it('whose approval covers the file alone, as those of earlier versions do, is asked for again with the reason', async () => {
    const file = await script('old.mjs', 'export default () => ({ action: "decline" })')
    const now = approved.get(file)
    approved.set(file, { hash: now?.hash ?? '' })
    expect(await refused(file)).toContain('does not cover the files that it imports')
  })

  it('runs as the text that was compared, whatever is on the disk a moment later', async () => {
    const lib = path.join(folder, 'swapped-lib.mjs')
    await writeFile(lib, 'export const action = "decline"')
    const file = await script(
      'swapped.mjs',
      `import { action } from './swapped-lib.mjs'\nexport default () => ({ action })`,
    )
    const swapping: ScriptParts = {
      ...parts,
      starter: {
        start: async (request) => {
          await writeFile(lib, 'export const action = "accept"')
          await writeFile(file, 'export default () => ({ action: "accept" })')
          return starter.start(request)
        },
      },
    }
    const { signal } = new AbortController()
    expect(await answerByScript({ file }, QUESTION, swapping, signal)).toEqual({ action: 'decline' })
  })

  it('names the packages that it imports, which stay where they are', async () => {
    const inside = path.join(folder, 'node_modules', '@some', 'pack')
    await mkdir(inside, { recursive: true })
    await writeFile(path.join(inside, 'package.json'), '{"name":"@some/pack","main":"main.cjs"}')
    await writeFile(path.join(inside, 'main.cjs'), 'exports.action = "decline"')
    const file = await script(
      'packs.ts',
      `import os from 'node:os'\nimport { action } from '@some/pack'\nexport default () => ({ action, content: { os: typeof os } })`,
    )
    const { packages, files } = await bundleModule(file)
    expect(packages).toEqual([{ name: '@some/pack', file: path.join(inside, 'main.cjs') }])
    expect(files.map((each) => each.file)).toEqual([file])
    expect(await run(file)).toMatchObject({ action: 'decline' })
  })

  it('that never ends is ended, with its loop', async () => {
    const file = await script('loops.mjs', 'export default () => { console.log("round"); for (;;); }')
    const words = await failure(run(file, 1_500))
    expect(words).toContain('It gave no answer within 1500 ms and was ended.')
  })

  it.each([
    ['throws', 'export default () => { throw new Error("no city") }', 'no city'],
    ['exits', 'export default () => { console.error("bye"); process.exit(3) }', 'ended with code 3'],
    ['exports no function', 'export const answer = 42', 'exports no function as its default'],
    ['cannot be bundled', 'export default (', 'cannot be bundled'],
    [
      'throws far away',
      'const far = () => { throw new Error("far") }\nexport default () => far()',
      'throws-far-away.mjs:1:',
    ],
    ['gives no object', 'export default () => "yes"', 'must be a JSON object'],
    ['gives what JSON cannot carry', 'export default () => { const a = {}; a.a = a; return a }', 'circular'],
  ])('reports that %s', async (what, text, words) => {
    expect(await failure(run(await script(`${what.replaceAll(' ', '-')}.mjs`, text)))).toContain(words)
  })

  it('is ended when the question is taken back', async () => {
    const controller = new AbortController()
    const file = await script(
      'waits.mjs',
      'export default () => new Promise(() => setInterval(() => 0, 1000))',
    )
    const running = run(file, 60_000, controller.signal)
    queueMicrotask(() => controller.abort(new Error('taken back')))
    await expect(running).rejects.toThrow('taken back')
  })
})

it('no process of a script is left', () => {
  expect(pids.length).toBeGreaterThan(8)
  expect(pids.filter(isAlive)).toEqual([])
})
