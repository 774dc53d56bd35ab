import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  anthropicAnswer,
  KEY,
  openaiAnswer,
  startModelApi,
  type ApiReply,
  type ApiRequest,
  type ModelApi,
} from '../../responders/models/model-api.test-support.ts'
import { MemorySecretStore } from '../../profile/secret-store.ts'
import type { InboxEntry } from '../contract/inbox.ts'
import type { RequestOutcome } from '../contract/inspect.ts'
import type { ResponderRule, ResponderSettings } from '../contract/responders.ts'
import { startTestHost, watchUntil, type HostClient, type TestHost } from '../host.test-support.ts'

const server = path.join(import.meta.dirname, '..', 'inbox', 'fixtures', 'asking-v1.test-support.ts')
const secretStore = new MemorySecretStore()
let host: TestHost
let client: HostClient
let serverId: string
let api: ModelApi
let reply: (request: ApiRequest) => ApiReply = () => openaiAnswer({ content: 'Rain.' })
let names = 0

beforeAll(async () => {
  api = await startModelApi((request) => reply(request))
  host = await startTestHost({ secretStore: () => secretStore })
  client = host.client
  const target = { transport: 'stdio' as const, command: process.execPath, args: [server], env: [] }
  serverId = (await host.addApproved({ name: 'asking', target })).id
  for (const kind of ['openai', 'anthropic'] as const) {
    const endpoint = api.endpoint(kind, { models: [{ name: 'small-1' }, { name: 'large-1' }] })
    expect(await client.responders.saveEndpoint({ endpoint, key: KEY })).toEqual({ endpoint, hasKey: true })
  }
  await client.servers.connect({ id: serverId })
})

afterEach(async () => {
  await client.inbox.clear()
})

afterAll(async () => {
  await host.close()
  await api.close()
})

function call(name: string, args: object = {}): Promise<RequestOutcome> {
  return client.inspect.request({
    serverId,
    callId: `call ${(names += 1)}`,
    method: 'tools/call',
    paramsText: JSON.stringify({ name, arguments: args }),
  })
}

/** What the tool gave: JSON, or the words of its error. */
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

async function use(rule: ResponderRule, limits: ResponderSettings['limits'] = {}): Promise<void> {
  const rules = { sampling: rule, 'elicitation-form': rule, roots: rule }
  await client.responders.save({ serverId, settings: { rules, limits } })
}

async function entry(fits: (entry: InboxEntry) => boolean): Promise<InboxEntry> {
  let found: InboxEntry | undefined
  await watchUntil(
    client,
    ({ inbox }) => {
      found = inbox?.find(fits) ?? found
      return found !== undefined
    },
    `inbox ${(names += 1)}`,
  )
  return found ?? expect.fail('nobody asked')
}

const proposed = ({ state }: InboxEntry): boolean => state.type === 'open' && state.proposed

describe('a rule that lets a model answer', () => {
  it.each(['openai', 'anthropic'] as const)(
    'passes tools on and their results back, to an API of the kind of %s',
    async (kind) => {
      reply = ({ body }) => {
        const isSecond = JSON.stringify(body['messages']).includes('7 °C')
        if (kind === 'anthropic') {
          return isSecond
            ? anthropicAnswer([{ type: 'text', text: 'It rains.' }])
            : anthropicAnswer(
                [{ type: 'tool_use', id: 'toolu_1', name: 'weather_now', input: { x: 1 } }],
                'tool_use',
              )
        }
        const asked = {
          id: 'call_1',
          type: 'function',
          function: { name: 'weather_now', arguments: '{"x":1}' },
        }
        return isSecond
          ? openaiAnswer({ content: 'It rains.' })
          : openaiAnswer({ tool_calls: [asked] }, 'tool_calls')
      }
      const before = api.asked.length
      await use({ kind: 'model', endpointId: `test-${kind}` })
      expect(given(await call('weather', { rounds: 2 }))).toEqual({
        content: [{ type: 'text', text: 'It rains.' }],
        model: 'small-1-2026',
        stopReason: 'endTurn',
        round: 1,
      })
      const bodies = api.asked.slice(before).map(({ body }) => body)
      // The server's hint chose among the models of the endpoint.
      expect(bodies).toMatchObject([{ model: 'large-1', max_tokens: 200 }, { model: 'large-1' }])
      expect(JSON.stringify(bodies[1]?.['messages'])).toContain('7 °C for {\\"x\\":1}')
      const entries = (await client.inbox.list()).filter(({ kind: each }) => each === 'sampling')
      expect(
        entries.map(({ rule, state }) => [rule, state.type, state.type === 'answered' && state.summary]),
      ).toEqual([
        ['model', 'answered', 'tool_use of weather/now from small-1-2026'],
        ['model', 'answered', '9 characters from small-1-2026'],
      ])
    },
  )

  it('shows its answer to a person first, who may change it', async () => {
    reply = () => openaiAnswer({ content: 'It rains.' })
    await use({ kind: 'model', endpointId: 'test-openai', review: true })
    const calling = call('weather', { rounds: 1 })
    const { id } = await entry(proposed)
    const { proposalText = '' } = await client.inbox.question({ id })
    const proposal = JSON.parse(proposalText) as object
    expect(proposal).toMatchObject({ content: { text: 'It rains.' }, model: 'small-1-2026' })
    const resultText = JSON.stringify({ ...proposal, content: { type: 'text', text: 'It may rain.' } })
    await client.inbox.answer({ id, answer: { type: 'result', resultText } })
    expect(given(await calling)).toMatchObject({ content: [{ text: 'It may rain.' }] })
  })

  it('makes a proposal for a question that waits for a person', async () => {
    reply = () => openaiAnswer({ content: 'It rains.' })
    await use({ kind: 'people' })
    const calling = call('weather', { rounds: 1 })
    const { id } = await entry(({ state }) => state.type === 'open')
    const failed = await client.inbox.propose({ id, rule: { kind: 'model', endpointId: 'gone' } })
    expect(failed).toEqual({
      state: 'failed',
      reason: 'The model endpoint of this rule is not there any more. Choose another.',
    })
    const made = await client.inbox.propose({
      id,
      rule: { kind: 'model', endpointId: 'test-openai', model: 'small-1' },
    })
    expect(made).toMatchObject({
      state: 'proposed',
      proposalText: expect.stringContaining('It rains.') as string,
    })
    expect(await entry(proposed)).toMatchObject({ id })
    await client.inbox.decline({ id })
    expect(given(await calling)).toBe('MCP error -1: the user declined the sampling request')
  })

  it('keeps within its tokens, over connections, and tells when they are used up', async () => {
    reply = () => openaiAnswer({ content: 'It rains.' })
    const { tokensToday } = await client.responders.usage({ serverId })
    const rule = { kind: 'model' as const, endpointId: 'test-openai', maxTokens: 150 }
    await use(rule, { tokensPerDay: tokensToday + 50 })
    await call('weather', { rounds: 1 })
    expect(api.asked.at(-1)?.body).toMatchObject({ max_tokens: 50 })
    expect(await client.responders.usage({ serverId })).toMatchObject({ tokensToday: tokensToday + 42 })
    await client.servers.restart({ id: serverId })
    await call('weather', { rounds: 1 })
    expect(api.asked.at(-1)?.body).toMatchObject({ max_tokens: 8 })
    expect(await client.responders.usage({ serverId })).toEqual({
      tokensToday: tokensToday + 84,
      tokensOfConnection: 42,
      openQuestions: 0,
    })
    expect(given(await call('weather', { rounds: 1 }))).toBe(
      'MCP error -32603: the client has used up its token budget for this server',
    )
    const { failure } = await entry(({ failure: each }) => each !== undefined)
    expect(failure).toContain(`The ${tokensToday + 50} tokens of today (UTC)`)
  })

  it('that fails says why to the user and not to the server', async () => {
    reply = () => ({ status: 500, body: { error: { message: 'Out of order.' } } })
    await use({ kind: 'model', endpointId: 'test-anthropic' })
    expect(given(await call('weather', { rounds: 1 }))).toBe(
      'MCP error -32603: the model that answers this request on the client failed',
    )
    const { failure, state } = await entry(({ failure: each }) => each !== undefined)
    expect(failure).toBe('Test anthropic answered with HTTP 500: Out of order.')
    expect(state).toMatchObject({ type: 'answered', by: 'rule', outcome: 'error' })
  })
})

describe('other rules', () => {
  const form = (content: object): ResponderRule => ({ kind: 'fixed', result: { action: 'accept', content } })

  it.each<[string, ResponderRule, unknown]>([
    [
      'a fixed answer, with the defaults of the form',
      form({ city: 'Oslo' }),
      { content: { city: 'Oslo', unit: 'C' } },
    ],
    [
      'a template',
      { kind: 'template', template: { action: 'accept', content: { city: 'City of {{server.name}}' } } },
      { content: { city: 'City of asking', unit: 'C' } },
    ],
    ['a no', { kind: 'decline' }, { action: 'decline' }],
    ['a no after a while', { kind: 'wait', ms: 20, then: { kind: 'decline' } }, { action: 'decline' }],
    [
      'no answer that does not fit, but an error',
      form({ city: 'X' }),
      'MCP error -32603: the rule that answers this request on the client produced an invalid answer',
    ],
  ])('give %s', async (_what, rule, expected) => {
    await use(rule)
    const answer = given(await call('form'))
    if (typeof expected === 'string') expect(answer).toBe(expected)
    else expect(answer).toMatchObject(expected as object)
  })

  it('leave a question without an answer until the server gives up', async () => {
    await use({ kind: 'never' })
    expect(given(await call('form', { timeout: 200 }))).toMatch(/timed out/)
    expect(await entry(({ state }) => state.type === 'withdrawn')).toMatchObject({ rule: 'never' })
  })

  it('run a script only as it was approved', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-script-'))
    const file = path.join(folder, 'answer.mjs')
    await writeFile(
      file,
      'export default ({ params }) => ({ action: "accept", content: { city: params.message } })',
    )
    await use({ kind: 'script', file })
    expect(given(await call('form'))).toContain('the script that answers this request on the client failed')
    expect(await entry(({ failure }) => failure !== undefined)).toMatchObject({
      failure: expect.stringContaining('was not approved. Review it') as string,
    })

    const view = await client.responders.script({ file })
    if (view.state !== 'readable') expect.fail('it can be read')
    expect(view).toMatchObject({
      approval: 'needed',
      text: expect.stringContaining('params.message') as string,
    })
    await client.responders.approveScript({ file, hash: view.hash })
    expect(given(await call('form'))).toMatchObject({ content: { city: 'Which city?' } })

    await writeFile(file, 'export default () => ({ action: "decline" })')
    expect(await client.responders.script({ file })).toMatchObject({
      approval: 'changed',
      reason: expect.stringContaining(`${file} was changed since`) as string,
    })
    await expect(client.responders.approveScript({ file, hash: view.hash })).rejects.toMatchObject({
      code: 'APPROVAL_OUTDATED',
    })
    expect(given(await call('form'))).toContain('the script that answers this request on the client failed')

    // A file that it imports is shown, and part of what is approved.
    const lib = path.join(folder, 'lib.mjs')
    await writeFile(lib, 'export const action = "decline"')
    await writeFile(file, 'import { action } from "./lib.mjs"\nexport default () => ({ action })')
    const importing = await client.responders.script({ file })
    if (importing.state !== 'readable') expect.fail('it can be read')
    expect(importing.imports).toEqual([{ file: lib, text: 'export const action = "decline"' }])
    await client.responders.approveScript({ file, hash: importing.hash })
    expect(given(await call('form'))).toEqual({ action: 'decline' })
    await writeFile(lib, 'export const action = "cancel"')
    await expect(client.responders.approveScript({ file, hash: importing.hash })).rejects.toMatchObject({
      code: 'APPROVAL_OUTDATED',
    })
    expect(given(await call('form'))).toContain('the script that answers this request on the client failed')
    expect(await client.responders.script({ file })).toMatchObject({
      approval: 'changed',
      reason: expect.stringContaining(`${lib} was changed since`) as string,
    })
  })
})

describe('model endpoints', () => {
  it('are tried and list their models, and say what is wrong', async () => {
    reply = () => openaiAnswer({ content: 'ready' })
    const tested = await client.responders.testEndpoint({ id: 'test-openai' })
    expect(tested).toMatchObject({ state: 'answered', text: 'ready', model: 'small-1-2026', tokens: 42 })
    expect(await client.responders.models({ id: 'test-openai' })).toEqual({
      state: 'listed',
      models: ['small-1', 'large-1'],
    })
    const endpoint = api.endpoint('anthropic', { id: 'without-key' })
    await client.responders.saveEndpoint({ endpoint })
    expect(await client.responders.testEndpoint({ id: 'without-key' })).toEqual({
      state: 'failed',
      reason:
        'Test anthropic answered with HTTP 401 (the key is missing or wrong): Incorrect API key provided.',
      httpStatus: 401,
    })
    await client.responders.removeEndpoint({ id: 'without-key' })
    await expect(client.responders.testEndpoint({ id: 'without-key' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('keep their keys to themselves, and everything is there after a new start', async () => {
    expect(JSON.stringify(await client.responders.endpoints())).not.toContain(KEY)
    const file = await readFile(path.join(host.profile, 'responders.json'), 'utf8')
    expect(file).not.toContain(KEY)
    await use({ kind: 'model', endpointId: 'test-openai' }, { openQuestions: 3 })
    const before = await client.responders.settings({ serverId })
    const { tokensToday } = await client.responders.usage({ serverId })
    expect(tokensToday).toBeGreaterThan(0)

    await host.close()
    host = await startTestHost({ profile: host.profile, secretStore: () => secretStore })
    client = host.client
    expect(await client.responders.settings({ serverId })).toEqual(before)
    expect(await client.responders.usage({ serverId })).toMatchObject({ tokensToday, tokensOfConnection: 0 })
    expect(await client.responders.endpoints()).toMatchObject([
      { endpoint: { id: 'test-openai' }, hasKey: true },
      { endpoint: { id: 'test-anthropic' }, hasKey: true },
    ])
    reply = () => openaiAnswer({ content: 'ready' })
    expect(await client.responders.testEndpoint({ id: 'test-openai' })).toMatchObject({ state: 'answered' })
    await client.responders.saveEndpoint({ endpoint: api.endpoint('openai'), key: null })
    expect(await client.responders.endpoints()).toMatchObject([{ hasKey: false }, { hasKey: true }])
  })
})
