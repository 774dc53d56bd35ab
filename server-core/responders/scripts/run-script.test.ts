import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ForkProcessStarter } from '../../host/processes/fork-process-starter.ts'
import type { Question } from '../question.ts'
import { RuleError } from '../rule-error.ts'
import { scriptHash } from './approval-hash.ts'
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
const approved = new Set<string>()
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
  isApproved: (_file, hash) => Promise.resolve(approved.has(hash)),
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-scripts-'))
})

async function script(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, text)
  approved.add(scriptHash(file, await readFile(file)))
  return file
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
    const none = { ...parts, starter: { start: () => expect.fail('a process was started') } }
    const { signal } = new AbortController()
    expect(await failure(answerByScript({ file }, QUESTION, none, signal))).toContain(
      'was not approved as it is now',
    )
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
    ['cannot be read by Node', 'export default (', 'SyntaxError'],
    ['gives no object', 'export default () => "yes"', 'must be a JSON object'],
    ['gives what JSON cannot carry', 'export default () => { const a = {}; a.a = a; return a }', 'circular'],
  ])('that %s is told of', async (what, text, words) => {
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
