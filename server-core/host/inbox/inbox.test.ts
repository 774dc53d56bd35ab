import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { InboxEntry } from '../contract/inbox.ts'
import type { RequestOutcome } from '../contract/inspect.ts'
import type { ResponderSettings } from '../contract/responders.ts'
import { startTestHost, watchUntil, type HostClient, type TestHost } from '../host.test-support.ts'

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const fixture = (name: string): string => path.join(import.meta.dirname, 'fixtures', name)

/** One host for all: starting one, and its servers, is what takes the time. */
let host: TestHost
const opened: string[] = []
let streams = 0

beforeAll(async () => {
  host = await startTestHost({
    openUrl: (href) => {
      opened.push(href)
      return Promise.resolve()
    },
  })
})

afterEach(async () => {
  opened.length = 0
  await host.client.inbox.clear()
  expect((await host.client.inbox.list()).filter(waiting)).toEqual([])
})

afterAll(() => host.close())

type Bench = {
  readonly client: HostClient
  readonly id: string
  readonly call: (
    name: string,
    args?: object,
    more?: { timeoutMs?: number; callId?: string },
  ) => Promise<RequestOutcome>
  /** Waits until as many entries fit. */
  readonly entries: (fits: (entry: InboxEntry) => boolean, count?: number) => Promise<InboxEntry[]>
  readonly entry: (fits: (entry: InboxEntry) => boolean) => Promise<InboxEntry>
}

const ids = new Map<string, string>()

/** A connection to a server, the same one for all tests that leave it open, with settings as if it were new. */
async function connected(args: string[], settings: Partial<ResponderSettings> = {}): Promise<Bench> {
  const { client } = host
  const [file = ''] = args
  let id = ids.get(file)
  if (id === undefined) {
    const target = { transport: 'stdio' as const, command: process.execPath, args, env: [] }
    id = (await host.addApproved({ name: path.basename(file), target })).id
    ids.set(file, id)
  }
  await set(id, settings)
  expect((await client.servers.connect({ id })).status).toBe('connected')
  const serverId = id
  const entries: Bench['entries'] = async (fits, count = 1) => {
    let found: InboxEntry[] = []
    streams += 1
    await watchUntil(
      client,
      ({ inbox }) => {
        if (inbox !== undefined) found = inbox.filter((entry) => entry.serverId === serverId && fits(entry))
        return found.length >= count
      },
      `inbox ${streams}`,
    )
    return found
  }
  return {
    client,
    id,
    entries,
    entry: async (fits) => {
      const [entry] = await entries(fits)
      return entry ?? expect.fail('nobody asked')
    },
    call: (name, toolArgs = {}, { timeoutMs, callId = `${name} ${(streams += 1)}` } = {}) =>
      client.inspect.request({
        serverId,
        callId,
        method: 'tools/call',
        paramsText: JSON.stringify({ name, arguments: toolArgs }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      }),
  }
}

async function set(serverId: string, settings: Partial<ResponderSettings>): Promise<void> {
  await host.client.responders.save({ serverId, settings: { rules: {}, limits: {}, ...settings } })
}

const waiting = ({ state }: InboxEntry): boolean => state.type === 'open' && state.waitsFor === 'person'
const over = ({ state }: InboxEntry): boolean => state.type !== 'open'
const result = (value: object) => ({ type: 'result' as const, resultText: JSON.stringify(value) })

/** What the tool of a fixture gave, which is JSON in its first text. */
function given(outcome: RequestOutcome): unknown {
  if (outcome.type !== 'result') return outcome
  const { result } = JSON.parse(outcome.messageText) as { result: { content: { text: string }[] } }
  const text = result.content[0]?.text ?? ''
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

describe('server-everything, which asks while it is called,', () => {
  it('gets a person’s message, and its question is a row inside its call', async () => {
    const { client, call, entry } = await connected([everything, 'stdio'])
    const calling = call('trigger-sampling-request', { prompt: 'Who are you?' })
    const asked = await entry(waiting)
    expect(asked).toMatchObject({
      kind: 'sampling',
      source: 'request',
      rule: 'people',
      serverName: 'index.js',
      title: '“Resource trigger-sampling-request context: Who are you?”',
      state: { proposed: false },
    })
    expect((asked.deadline ?? 0) - asked.at).toBeGreaterThanOrEqual(600_000)
    const question = await client.inbox.question({ id: asked.id })
    expect(JSON.parse(question.paramsText)).toMatchObject({ systemPrompt: 'You are a helpful test server.' })

    const message = { role: 'assistant', content: { type: 'text', text: 'A person.' }, model: 'none' }
    const answered = await client.inbox.answer({ id: asked.id, answer: result(message) })
    expect(answered).toMatchObject({
      state: 'sent',
      entry: {
        state: { type: 'answered', by: 'person', outcome: 'result', summary: '9 characters from none' },
      },
    })
    const outcome = await calling
    expect(given(outcome)).toContain('A person.')

    const { exchanges = [] } = (await watchUntil(client, () => true, 'rows'))[0] ?? {}
    const row = exchanges.find(({ id }) => id === asked.exchangeId)
    const parent = exchanges.find(({ id }) => id === row?.parentId)
    expect(row).toMatchObject({ method: 'sampling/createMessage', direction: 'received', outcome: 'ok' })
    expect(parent).toMatchObject({ method: 'tools/call', outcome: 'ok' })
    expect(parent?.id).toBe(outcome.exchangeId)
    expect(parent?.waits).toContainEqual({ startedAt: row?.startedAt, endedAt: row?.endedAt })
  })

  it('gets a form with its defaults, checked before it is sent', async () => {
    const { client, call, entry } = await connected([everything, 'stdio'])
    const calling = call('trigger-elicitation-request')
    const { id, kind } = await entry(waiting)
    expect(kind).toBe('elicitation-form')
    const wrong = result({ action: 'accept', content: { email: 'nowhere', check: 'yes' } })
    expect(await client.inbox.answer({ id, answer: wrong })).toEqual({
      state: 'invalid',
      findings: [
        { path: 'content.name', message: 'it is required, and missing' },
        { path: 'content.email', message: 'expected an e-mail address, got "nowhere"' },
        { path: 'content.check', message: 'expected true or false, got a value of type string' },
      ],
    })
    const resultText = JSON.stringify({ action: 'accept', content: { name: 'Ada' } })
    expect(await client.inbox.check({ id, resultText })).toEqual({ findings: [] })
    await client.inbox.answer({ id, answer: { type: 'result', resultText } })
    const outcome = await calling
    expect(outcome.type === 'result' && outcome.messageText).toMatch(/Ada.*It was a dark and stormy night\./)
    const { answerText = '' } = await client.inbox.question({ id })
    expect(JSON.parse(answerText)).toMatchObject({ result: { content: { name: 'Ada', integer: 42 } } })
  })

  it('gets the roots that the user set, and asks again when others hold', async () => {
    const { client, call, id, entry } = await connected([everything, 'stdio'])
    // It asks by itself a while after it was connected, or when its tool is called first.
    await call('get-roots-list')
    const rooted = (names: string[]) => ({
      kind: 'fixed' as const,
      result: { roots: names.map((name) => ({ uri: `file:///srv/${name}` })) },
    })
    const asked = (summary: string) => (each: InboxEntry) =>
      each.state.type === 'answered' && each.state.summary === summary
    await set(id, { rules: { roots: rooted(['project']) } })
    expect(await entry(asked('1 root'))).toMatchObject({
      kind: 'roots',
      rule: 'fixed',
      state: { by: 'rule' },
    })
    await client.responders.save({ settings: { rules: { roots: rooted(['a', 'b']) }, limits: {} } })
    await set(id, {})
    await entry(asked('2 roots'))
    const outcome = await call('get-roots-list')
    expect(outcome.type === 'result' && outcome.messageText).toContain('file:///srv/b')
    await client.responders.save({ settings: { rules: {}, limits: {} } })
  })

  it('has its address opened only if it may be, and whole', async () => {
    const { client, call, entry } = await connected([everything, 'stdio'])
    const refused = call('trigger-url-elicitation', { url: 'http://example.com/x', message: 'Open it.' })
    const first = await entry(waiting)
    expect(first).toMatchObject({ kind: 'elicitation-url', title: '“Open it.”', url: {} })
    expect(await client.inbox.openUrl({ id: first.id })).toEqual({
      state: 'refused',
      reason: 'Only https is opened, and http on this machine.',
    })
    await client.inbox.decline({ id: first.id })
    expect(given(await refused)).toContain('User declined')

    const url = 'https://example.com/authorize?state=a&next=%2Fb'
    const accepted = call('trigger-url-elicitation', { url, message: 'Open it.' })
    const second = await entry(waiting)
    expect(await client.inbox.openUrl({ id: second.id })).toMatchObject({
      state: 'opened',
      entry: {
        url: { openedAt: expect.any(Number) as number },
        state: { type: 'answered', summary: 'accept' },
      },
    })
    expect(opened).toEqual([url])
    expect(given(await accepted)).toContain('User completed')
  })
})

describe('a server of the official SDK v1', () => {
  it('closes the entry when the server withdraws its question, and shows the reason', async () => {
    const { client, call, entry } = await connected([fixture('asking-v1.test-support.ts')])
    const calling = call('form', { timeout: 800 })
    const closed = await entry(over)
    expect(closed).toMatchObject({
      state: { type: 'withdrawn', reason: expect.stringMatching(/timed out/) as string },
    })
    expect(await calling).toMatchObject({ type: 'result' })
    await expect(client.inbox.decline({ id: closed.id })).rejects.toMatchObject({ code: 'NOT_OPEN' })
    // From now on it is known how long this server waits.
    expect(closed.serverTimeoutMs).toBeUndefined()
    const again = call('form', { timeout: 60_000 })
    const asked = await entry(waiting)
    expect(asked.serverTimeoutMs).toBeGreaterThan(0)
    await client.inbox.decline({ id: asked.id })
    await again
  })

  it('that ends, ends its question', async () => {
    const { client, id, call, entry } = await connected([fixture('asking-v1.test-support.ts')])
    const calling = call('form')
    const asked = await entry(waiting)
    await client.servers.disconnect({ id })
    expect(await entry(over)).toMatchObject({ id: asked.id, state: { type: 'connection-ended' } })
    expect(await calling).toMatchObject({ type: 'failure', code: 'closed' })
  })

  it('gets a cancel at the deadline, and the clock of its call, which is over sooner, stands still meanwhile', async () => {
    const { call, entry } = await connected([fixture('asking-v1.test-support.ts')], {
      limits: { deadlineMs: 4_500 },
    })
    const outcome = await call('form', {}, { timeoutMs: 4_000 })
    expect(given(outcome)).toEqual({ action: 'cancel' })
    expect(await entry(over)).toMatchObject({ state: { type: 'expired' } })
  })

  it('is refused beyond its limit, and told which', async () => {
    const { client, call, entries } = await connected([fixture('asking-v1.test-support.ts')], {
      limits: { openQuestions: 2 },
    })
    const calling = call('many', { count: 5 })
    const refused = await entries(({ state }) => state.type === 'refused', 3)
    expect(refused[0]).toMatchObject({
      state: { reason: expect.stringMatching(/2 questions of this server wait/) as string },
    })
    const open = await entries(waiting, 2)
    await client.inbox.decline({ id: open[0]?.id ?? '' })
    await client.inbox.cancel({ id: open[1]?.id ?? '' })
    const told = given(await calling) as string[]
    // Which two of the five found room does not matter.
    const isRefused = (words: string): boolean => words.includes('too many questions: 2 questions')
    expect(told.filter((words) => !isRefused(words)).toSorted()).toEqual(['cancel', 'decline'])
    expect(told.filter(isRefused)).toHaveLength(3)
  })

  it('reports that what was to be done at an address is done', async () => {
    const { client, call, entry } = await connected([fixture('asking-v1.test-support.ts')])
    const calling = call('url')
    const { id } = await entry(waiting)
    await client.inbox.openUrl({ id })
    expect(given(await calling)).toEqual({ action: 'accept' })
    const done = await entry(({ url }) => url?.completedAt !== undefined)
    expect(done).toMatchObject({ id, url: { openedAt: expect.any(Number) as number } })
  })

  it('whose error wants an address visited first has an entry until that is done, with the call to make again', async () => {
    const { client, call, entry } = await connected([fixture('asking-v1.test-support.ts')])
    const failed = await call('signed-in-only', {}, { callId: 'the call' })
    expect(failed).toMatchObject({
      type: 'error',
      code: -32042,
      data: { elicitations: [{ elicitationId: 'e-2' }] },
    })
    const asked = await entry(waiting)
    expect(asked).toMatchObject({
      kind: 'elicitation-url',
      source: 'url-required-error',
      callId: 'the call',
      exchangeId: failed.exchangeId,
      title: '“Sign in first.”',
    })
    expect(await client.inbox.openUrl({ id: asked.id })).toMatchObject({ state: 'opened' })
    expect(opened).toEqual(['https://example.com/first'])
    await call('sign-in')
    expect(await entry(over)).toMatchObject({
      id: asked.id,
      state: { type: 'answered' },
      url: { completedAt: expect.any(Number) as number },
    })
    expect(given(await call('signed-in-only'))).toBe('welcome')
  })

  it('gets what was sent unchecked as it is, and errors', async () => {
    const { client, call, entry } = await connected([fixture('asking-v1.test-support.ts')])
    const first = call('form')
    const answer = result({ action: 'accept', content: { city: 'X' } })
    const { id } = await entry(waiting)
    expect(await client.inbox.answer({ id, answer })).toMatchObject({ state: 'invalid' })
    await client.inbox.answer({ id, answer, unchecked: true })
    const outcome = await first
    // The SDK holds it against its schema too.
    expect(outcome.type === 'result' && outcome.messageText).toContain(
      'must NOT have fewer than 2 characters',
    )

    const second = call('form')
    const next = await entry(waiting)
    await client.inbox.answer({
      id: next.id,
      answer: { type: 'error', code: -32050, message: 'Not today.', dataText: '{"why":"rain"}' },
    })
    const error = await second
    expect(error.type === 'result' && error.messageText).toContain('MCP error -32050: Not today.')
  })
})

describe('a server of the official SDK v2, which asks inside its answers,', () => {
  it('gets all answers of a round at once, and its call is one row with its questions inside', async () => {
    const { client, call, entries } = await connected([fixture('asking-v2.test-support.ts')])
    const calling = call('trip', { days: 3 })
    const open = await entries(waiting, 2)
    const where = open.find(({ kind }) => kind === 'elicitation-form')
    const advice = open.find(({ kind }) => kind === 'sampling')
    expect(where).toMatchObject({ source: 'input-required', revision: '2026-07-28', title: '“Where to?”' })
    // It is the page that goes, not the question.
    await client.inbox.answer({
      id: where?.id ?? '',
      answer: result({ action: 'accept', content: { city: 'Oslo' } }),
    })
    expect((await client.inbox.list()).filter(waiting).map(({ id }) => id)).toEqual([advice?.id])
    const message = { role: 'assistant', content: { type: 'text', text: 'A coat.' }, model: 'none' }
    await client.inbox.answer({ id: advice?.id ?? '', answer: result(message) })
    const outcome = await calling
    expect(given(outcome)).toEqual({ days: 3, city: 'Oslo', advice: message })
    const { exchanges = [] } = (await watchUntil(client, () => true, 'rows'))[0] ?? {}
    for (const entry of [where, advice]) {
      const row = exchanges.find(({ id }) => id === entry?.exchangeId)
      expect(row).toMatchObject({ method: entry?.method, parentId: outcome.exchangeId })
    }
    expect(exchanges.find(({ id }) => id === outcome.exchangeId)).toMatchObject({ rounds: 2, outcome: 'ok' })
  })

  it('has its address opened, and is called again', async () => {
    const { client, call, entry } = await connected([fixture('asking-v2.test-support.ts')])
    const calling = call('pay')
    await client.inbox.openUrl({ id: (await entry(waiting)).id })
    expect(opened).toEqual(['https://example.com/pay'])
    expect(given(await calling)).toMatchObject({ action: 'accept' })
  })

  it('keeps its question over a page that is loaded again, and not over a call that is cancelled', async () => {
    const { client, call, entry, id } = await connected([fixture('asking-v2.test-support.ts')])
    const page = new AbortController()
    const lost = client.inspect.request(
      { serverId: id, callId: 'page 1', method: 'tools/call', paramsText: '{"name":"pay","arguments":{}}' },
      { signal: page.signal },
    )
    lost.catch(() => undefined)
    const asked = await entry(waiting)
    page.abort()
    expect((await client.inbox.question({ id: asked.id })).entry.state).toMatchObject({ type: 'open' })
    await client.inbox.answer({ id: asked.id, answer: result({ action: 'accept' }) })
    await watchUntil(
      client,
      ({ exchanges = [] }) =>
        exchanges.some(({ method, outcome }) => method === 'tools/call' && outcome === 'ok'),
      'the call goes on',
    )

    const second = call('pay', {}, { callId: 'page 2' })
    const next = await entry(waiting)
    await client.inspect.cancel({ callId: 'page 2' })
    expect(await entry((each) => each.id === next.id && over(each))).toMatchObject({
      state: { type: 'withdrawn', reason: 'the call that it belongs to was given up' },
    })
    expect(await second).toMatchObject({ type: 'failure' })

    const third = call('trip', { days: 3 })
    const advice = await entry((each) => waiting(each) && each.kind === 'sampling')
    await client.inbox.decline({ id: advice.id })
    expect(await third).toMatchObject({
      type: 'failure',
      code: 'input-required',
      message: expect.stringMatching(/declined/) as string,
    })
    const { exchanges = [] } = (await watchUntil(client, () => true, 'rows'))[0] ?? {}
    const calls = exchanges.filter((row) => row.serverId === id && row.method !== 'subscriptions/listen')
    expect(calls.filter(({ outcome }) => outcome === 'open')).toEqual([])
  })
})
