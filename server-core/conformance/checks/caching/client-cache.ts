import type { JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import { elapsed } from '../../probe/waits.ts'
import { shortJson } from '../../probe/outcome.ts'
import { acceptListens } from '../subscriptions/exam-listens.ts'

const HOUR_MS = 3_600_000
const LONG: JsonObject = { ttlMs: HOUR_MS, cacheScope: 'public' }

/** How often the client sent a method with a certain parameter. */
function sentWith(exam: ClientExam, method: string, name: string, value: unknown): number {
  return exam.messagesOf(method).filter(({ message: { params } }) => paramOf(params, name) === value).length
}

function paramOf(params: unknown, name: string): unknown {
  return typeof params === 'object' && params !== null ? (params as JsonObject)[name] : undefined
}

export const cacheKey = clientCheck(
  'caching.client.key',
  async (exam) => {
    exam.alter('resources/read', (result) => ({ ...result, ...LONG }))
    exam.alter('tools/list', (result, { params }) => ({
      ...result,
      ...LONG,
      ...(params['cursor'] === undefined && { nextCursor: 'second' }),
      ...(params['cursor'] !== undefined && { tools: [] }),
    }))
    await exam.connect()
    const uris = ['exam://text', 'exam://text/other']
    for (const uri of uris) await exam.step({ type: 'read', uri })
    await exam.step({ type: 'list', list: 'tools' })
    const asked = [
      ...uris.map((uri) => ({
        what: `resources/read of ${uri}`,
        count: sentWith(exam, 'resources/read', 'uri', uri),
      })),
      { what: 'the first page', count: sentWith(exam, 'tools/list', 'cursor', undefined) },
      { what: 'the second page', count: sentWith(exam, 'tools/list', 'cursor', 'second') },
    ]
    if (asked[0]?.count === 0) exam.inconclusive('the client read nothing')
    for (const { what, count } of asked) {
      exam.expect(count > 0, {
        expected: `${what} asked for`,
        actual: 'answered from the entry of another request',
        frame: exam.received.at(-1)?.frame,
      })
    }
  },
  { title: 'The cache keeps different requests apart' },
)

type Lifetime = { readonly ttlMs: number | undefined; readonly statement: string; readonly pauseMs: number }

const LIFETIMES: readonly Lifetime[] = [
  { ttlMs: 0, statement: 'caching.zero-stale', pauseMs: 0 },
  { ttlMs: undefined, statement: 'caching.absent-zero', pauseMs: 0 },
  { ttlMs: -5, statement: 'caching.negative-zero', pauseMs: 0 },
  { ttlMs: 300, statement: 'caching.expired-refetch', pauseMs: 500 },
]

export const cacheFreshness = clientCheck(
  'caching.client.freshness',
  async (exam) => {
    let lifetime: Lifetime | undefined
    exam.alter('prompts/list', ({ ttlMs: _, ...result }) => ({
      ...result,
      ...(lifetime?.ttlMs !== undefined && { ttlMs: lifetime.ttlMs }),
    }))
    await exam.connect()
    for (lifetime of LIFETIMES) {
      const { ttlMs, statement, pauseMs } = lifetime
      const before = exam.messagesOf('prompts/list').length
      await exam.step({ type: 'list', list: 'prompts' })
      const first = exam.messagesOf('prompts/list').length
      if (first === before) {
        // The entry of the lifetime before was used, which was reported then.
        if (before === 0) exam.inconclusive('the client never listed')
        continue
      }
      await elapsed(pauseMs)
      await exam.step({ type: 'list', list: 'prompts' })
      exam.expect(exam.messagesOf('prompts/list').length > first, {
        severity: 'warning',
        statement,
        expected: `prompts/list asked for again${pauseMs > 0 ? ` after ${pauseMs} ms` : ''} with ttlMs ${shortJson(ttlMs)}`,
        actual: 'a result from the cache',
        frame: exam.messagesOf('prompts/list').at(-1)?.frame,
      })
    }
  },
  { title: 'The client does not use stale results' },
)

const ASKED = {
  method: 'elicitation/create',
  params: {
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
}

export const cacheNoRounds = clientCheck(
  'caching.client.no-mrtr',
  async (exam) => {
    exam.set({
      capabilities: ['elicitation'],
      answers: { 'elicitation/create': () => ({ action: 'accept', content: { name: 'exam' } }) },
    })
    exam.on('resources/read', (turn) => {
      if (turn.params['inputResponses'] === undefined)
        return {
          result: { resultType: 'input_required', inputRequests: { name: ASKED }, requestState: 'asked' },
        }
      const reply = turn.usual()
      return 'result' in reply ? { result: { ...reply.result, ...LONG } } : reply
    })
    await exam.connect()
    const first = await exam.step({ type: 'read', uri: 'exam://text' })
    if (first.type === 'failed') exam.inconclusive(`the client did not answer: ${first.message}`)
    const before = exam.messagesOf('resources/read').length
    await exam.step({ type: 'read', uri: 'exam://text' })
    exam.expect(exam.messagesOf('resources/read').length > before, {
      expected: 'the second read sent: results of several rounds are not kept',
      actual: 'a result from the cache',
      frame: exam.messagesOf('resources/read').at(-1)?.frame,
    })
  },
  { title: 'Results of several rounds are not cached' },
)

export const cacheInvalidated = clientCheck(
  'caching.client.invalidate',
  async (exam) => {
    exam.content.capabilities = { ...exam.content.capabilities, tools: { listChanged: true } }
    let refusalsLeft = 0
    exam.on('tools/list', (turn) => {
      const reply = turn.usual()
      if (!('result' in reply)) return reply
      const { cursor } = turn.params
      if (cursor !== undefined && refusalsLeft > 0) {
        refusalsLeft--
        return { error: { code: -32602, message: 'Invalid cursor' } }
      }
      return cursor === undefined
        ? { result: { ...reply.result, ...LONG, nextCursor: 'second' } }
        : { result: { ...reply.result, ...LONG, ttlMs: 100, tools: [] } }
    })
    const listens = acceptListens(exam)
    await exam.connect()
    const opened = await exam.step({ type: 'listen', filter: { toolsListChanged: true } })
    const [listen] = listens
    if (opened.type === 'failed' || listen === undefined)
      return exam.inconclusive('the client did not open a listen')
    await exam.step({ type: 'list', list: 'tools' })
    const firstPages = () => sentWith(exam, 'tools/list', 'cursor', undefined)
    const before = firstPages()
    listen.notify('notifications/tools/list_changed')
    // The notice has no answer; the next request shows that the client has read it.
    await exam.step({ type: 'list', list: 'prompts' })
    await elapsed(exam.waits.silenceMs)
    await exam.step({ type: 'list', list: 'tools' })
    exam.expect(firstPages() > before, {
      severity: 'warning',
      expected: 'tools/list asked for again after notifications/tools/list_changed',
      actual: 'the old list',
      frame: exam.messagesOf('tools/list').at(-1)?.frame,
    })
    // The second page is stale, the first is not: its cursor is refused.
    refusalsLeft = 1
    const refusedFrom = firstPages()
    await elapsed(200)
    await exam.step({ type: 'list', list: 'tools' })
    if (refusalsLeft > 0) return
    exam.expect(firstPages() > refusedFrom, {
      severity: 'warning',
      expected: 'all pages asked for again after a cursor was refused',
      actual: 'the first page from the cache',
      statement: 'caching.cursor-invalid-restart',
      frame: exam.messagesOf('tools/list').at(-1)?.frame,
    })
  },
  { title: 'Notices of changes make cached lists stale' },
)

export const cachePolling = clientCheck(
  'caching.client.polling',
  async (exam) => {
    // A minute and a lifetime of a second, unless waits are shortened.
    const ttlMs = exam.waits.silenceMs
    for (const method of ['tools/list', 'resources/list', 'prompts/list'])
      exam.alter(method, (result) => ({ ...result, ttlMs, cacheScope: 'private' }))
    await exam.connect()
    await exam.step({ type: 'list', list: 'tools' })
    const from = exam.messagesOf('tools/list').length
    await exam.step({ type: 'idle', milliseconds: ttlMs * 60 })
    const fetched = exam.messagesOf('tools/list').slice(from)
    const times = fetched.map(({ frame }) => frame.at)
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at))
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length)
    const spread = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / Math.max(1, gaps.length))
    const isSteady = gaps.length >= 20 && (spread / mean < 0.1 || mean < ttlMs * 2)
    exam.expect(!isSteady, {
      severity: 'warning',
      expected: 'no fetching by the lifetime of results',
      actual: `tools/list ${fetched.length} times, every ${Math.round(mean)} ms with a lifetime of ${ttlMs} ms`,
      frame: fetched.at(-1)?.frame,
    })
  },
  { title: 'Lifetimes are not used as polling intervals', slow: true },
)
