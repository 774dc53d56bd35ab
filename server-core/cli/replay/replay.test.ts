import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Recorder } from '../../capture/recording/recorder.ts'
import { connectTo } from '../../client/connect-to.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { buildCli, runCli } from '../cli-process.test-support.ts'
import { readReplay } from './replay-flags.ts'

const BOOKINGS = path.join(import.meta.dirname, 'booking-server.test-support.ts')
const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)

type Report = {
  readonly same: number
  readonly changed: number
  readonly calls: readonly {
    readonly after?: { readonly target: string }
    readonly changes?: readonly { readonly pointer: string; readonly after: unknown }[]
  }[]
  readonly replaced: readonly { readonly recorded: string; readonly received: string }[]
  readonly varying: readonly { readonly target: string; readonly pointer: string }[]
  readonly skipped: readonly { readonly method: string; readonly reason: string }[]
  readonly unexpected: readonly { readonly method: string }[]
  readonly failed: readonly unknown[]
  readonly revision: string
  readonly times: readonly { readonly target: string; readonly calls: number }[]
}

let folder = ''
let booked = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-replay-'))
  await Promise.all([buildCli(), recordBookings()])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Books, pings and cancels what was booked, two luck calls in between. */
async function recordBookings(): Promise<void> {
  const recorder = await Recorder.create(path.join(folder, 'bookings.ndjson'), {
    onTrouble: (text) => expect.unreachable(text),
  })
  const connection = await connectTo(
    { transport: 'stdio', command: process.execPath, args: [BOOKINGS] },
    {
      identity: { name: 'recorded-client', version: '1.2.3' },
      responders: {
        elicitation: { form: () => Promise.resolve({ action: 'accept', content: { sure: true } }) },
      },
    },
    { tap: recorder.tap({ serverName: 'bookings', side: 'client', transport: 'stdio' }) },
  )
  const { result } = await connection.request('tools/call', { name: 'book', arguments: { city: 'Oslo' } })
  const [content] = Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
  const { id } = JSON.parse(isJsonObject(content) ? String(content['text']) : '') as { id: string }
  booked = id
  await connection.request('tools/call', { name: 'luck', arguments: {} })
  await connection.request('ping')
  await connection.request('tools/call', { name: 'cancel', arguments: { id } })
  await connection.close()
  await recorder.close()
}

async function replay(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly report: Report; readonly stderr: string }> {
  const set = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const ran = await runCli(
    ['replay', 'bookings.ndjson', ...words, ...set, '--', process.execPath, BOOKINGS],
    { cwd: folder },
  )
  return { code: ran.code, report: JSON.parse(ran.stdout || '{}') as Report, stderr: ran.stderr }
}

test('what the server returned and the client sent back is replaced, and questions have their recorded answers', async () => {
  const { code, report } = await replay(['--times', '2'])
  expect(report).toMatchObject({ changed: 0, onlyBefore: 0, onlyAfter: 0, unexpected: [], failed: [] })
  expect(report.replaced).toEqual([{ recorded: booked, received: expect.stringMatching(/^bk-/) as string }])
  expect(report.replaced[0]?.received).not.toBe(booked)
  expect(code).toBe(0)
})

test('an answer that differs fails, and what differs from replay to replay does not count', async () => {
  const alone = await replay([], { PRICE: '120' })
  expect(alone.code).toBe(1)
  expect(alone.report.calls.map(({ after }) => after?.target).sort()).toEqual(['book', 'luck'])
  const { code, report } = await replay(['--times', '2'], { PRICE: '120' })
  expect(report.varying).toContainEqual({
    method: 'tools/call',
    target: 'luck',
    pointer: '/result/content/0/text',
  })
  expect(report.calls).toMatchObject([
    {
      after: { target: 'book' },
      changes: [{ pointer: '/result/content/0/text/price', before: 100, after: 120 }],
    },
  ])
  expect(report.times.find(({ target }) => target === 'luck')).toMatchObject({ calls: 2 })
  expect(code).toBe(1)
})

test('a question that the recording has no answer to fails the replay by name', async () => {
  const { code, report } = await replay(['--ignore', '/result/content/0/text'], { ASK_TWICE: '1' })
  expect(report.unexpected).toEqual([
    { method: 'elicitation/create', params: expect.objectContaining({ message: 'Really?' }) as unknown },
  ])
  expect(code).toBe(1)
  const ruled = await replay(['--ignore', '/result/content/0/text', '--responder', 'elicitation=decline'], {
    ASK_TWICE: '1',
  })
  expect(ruled.report.unexpected).toEqual([])
})

test('a recording is replayed over another revision, and what that lacks is named', async () => {
  const recorded = await runCli(
    ['call', 'get-sum', '--arg', 'a=40', '--arg', 'b=2', '--record', 'sum.ndjson'].concat([
      '--revision',
      '2025-06-18',
      '--',
      process.execPath,
      EVERYTHING,
      'stdio',
    ]),
    { cwd: folder },
  )
  expect(recorded.code).toBe(0)
  const again = await runCli(
    ['replay', 'sum.ndjson', '--revision', '2025-11-25', '--', process.execPath, EVERYTHING, 'stdio'],
    { cwd: folder },
  )
  const report = JSON.parse(again.stdout) as Report
  expect(report).toMatchObject({ revision: '2025-11-25', changed: 0, failed: [] })
  expect(report.same).toBeGreaterThan(0)
  expect(again.code).toBe(0)
})

test('words that make no sense are named', () => {
  expect(() => readReplay([])).toThrow('replay expects a recording')
  expect(() => readReplay(['a', 'b', '--url', 'http://127.0.0.1:1'])).toThrow('got "b" too')
  expect(() => readReplay(['a', '--speed', '0', '--url', 'http://127.0.0.1:1'])).toThrow('--speed expects')
  expect(() => readReplay(['a', '--clients', '2', '--record', 'x', '--url', 'http://127.0.0.1:1'])).toThrow(
    '--record records one replay',
  )
})
