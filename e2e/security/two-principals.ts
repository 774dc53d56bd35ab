import { WebSocket } from 'ws'
import type { JsonObject } from '../../server-core/protocol/json.ts'
import { Registry } from '../../server-core/registry/registry.ts'
import {
  exchange,
  modern,
  openSession,
  type RawResponse,
} from '../../server-core/server/interop/http-raw.test-support.ts'
import type { Random } from '../random.ts'
import type { Attack, AttackReport } from './attack.ts'
import { serveGuarded, type GuardedServer, type PrincipalName } from './principals.ts'

const REVISION = '2025-11-25'
const TASKS = 'io.modelcontextprotocol/tasks'
const UNKNOWN_TASK = '00000000-0000-4000-8000-000000000000'
const EMPTY_FORM = { type: 'object', properties: {} } as const

/** Everything of one caller that has a name, while it is in use. */
type Belongings = {
  readonly session: Awaited<ReturnType<typeof openSession>>
  readonly sse: { readonly id: string; readonly stream: RawResponse }
  /** The last event of a stream of the session. */
  readonly eventId: string
  /** A task of each era. */
  readonly task: string
  readonly sessionTask: string
  readonly requestState: string
  readonly subscription: RawResponse
  /** The request id of a call that waits. */
  readonly waiting: { readonly id: string; readonly answer: Promise<RawResponse> }
}

/** What a name of somebody else is used for. `named` makes the request for any name, so that an unknown one can be tried. */
type Attempt = {
  readonly name: (mine: Belongings) => string
  readonly unknown: (name: string) => string
  readonly send: (
    server: GuardedServer,
    headers: Record<string, string>,
    name: string,
  ) => Promise<RawResponse>
}

const reversed = (name: string): string => name.split('').reverse().join('')
const sessionOf = ({ session }: Belongings): string => session.id
const sseOf = ({ sse }: Belongings): string => sse.id

function inSession(
  method: 'POST' | 'GET' | 'DELETE',
  body?: JsonObject,
  more: Record<string, string> = {},
): Attempt {
  return {
    name: sessionOf,
    unknown: reversed,
    send: ({ mcp }, headers, id) =>
      exchange(mcp, {
        method,
        headers: {
          ...headers,
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': REVISION,
          'mcp-session-id': id,
          ...more,
        },
        ...(body !== undefined && { body }),
      }),
  }
}

function onTask(method: string, era: 'session' | 'modern', more: JsonObject = {}): Attempt {
  return {
    name: ({ task, sessionTask }) => (era === 'modern' ? task : sessionTask),
    unknown: () => UNKNOWN_TASK,
    send: async ({ mcp }, headers, taskId) => {
      if (era === 'session') return (await openSession(mcp, {}, headers)).request(2, method, { taskId })
      const capabilities = { extensions: { [TASKS]: {} } }
      return modern(
        mcp,
        method,
        { taskId, ...more },
        { headers: { ...headers, 'mcp-name': taskId }, capabilities },
      )
    },
  }
}

const rpc = (method: string, params: JsonObject = {}, id: string | number = 9): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  'a ping in the session': inSession('POST', rpc('ping')),
  'a call in the session': inSession('POST', rpc('tools/call', { name: 'secret', arguments: {} })),
  'an initialize in the session': inSession('POST', rpc('initialize', { protocolVersion: REVISION })),
  'a cancel in the session': inSession('POST', {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 'waiting' },
  }),
  'an answer in the session': inSession('POST', { jsonrpc: '2.0', id: 0, result: { action: 'accept' } }),
  "the session's stream": inSession('GET'),
  'the end of the session': inSession('DELETE'),
  'a stream resumed by its first event': inSession('GET', undefined, { 'last-event-id': '0-0' }),
  'a stream resumed by its own event': {
    name: ({ session, eventId }) => `${session.id} ${eventId}`,
    unknown: (name) => `${reversed(name.split(' ')[0] ?? '')} ${name.split(' ')[1] ?? ''}`,
    send: (server, headers, name) => {
      const [id = '', eventId = ''] = name.split(' ')
      return inSession('GET', undefined, { 'last-event-id': eventId }).send(server, headers, id)
    },
  },
  'a POST to the HTTP+SSE session': {
    name: sseOf,
    unknown: reversed,
    send: ({ sse }, headers, id) =>
      exchange(`${sse.replace(/\/sse$/, '/messages')}?sessionId=${id}`, { headers, body: rpc('ping') }),
  },
  'the stream of the HTTP+SSE session': {
    name: sseOf,
    unknown: reversed,
    send: ({ sse }, headers, id) =>
      exchange(`${sse}?sessionId=${id}`, {
        method: 'GET',
        headers: { ...headers, accept: 'text/event-stream' },
      }),
  },
  'tasks/get': onTask('tasks/get', 'modern'),
  'tasks/update': onTask('tasks/update', 'modern', { inputResponses: {} }),
  'tasks/cancel': onTask('tasks/cancel', 'modern'),
  'tasks/get in a session': onTask('tasks/get', 'session'),
  'tasks/result in a session': onTask('tasks/result', 'session'),
  'tasks/cancel in a session': onTask('tasks/cancel', 'session'),
  'the sealed state': {
    name: ({ requestState }) => requestState,
    unknown: () => 'forged',
    send: ({ mcp }, headers, requestState) =>
      modern(
        mcp,
        'tools/call',
        { name: 'ask', requestState, inputResponses: { sure: { action: 'accept', content: {} } } },
        { headers, capabilities: { elicitation: {} } },
      ),
  },
}
const NAMES = Object.keys(ATTEMPTS) as [string, ...string[]]

/**
 * Users and clients of one authorization server use the names of what belongs to another. Each must get the answer that a
 * name gets which never was, and the owner must notice nothing.
 */
export const twoPrincipals: Attack = {
  name: 'two-principals',
  rounds: { smoke: 6, full: 400 },
  run: attack,
}

async function attack(random: Random, rounds: number): Promise<AttackReport> {
  const findings: string[] = []
  let attempts = 0
  for (let round = 0; round < rounds; round += 1) {
    const gate = Promise.withResolvers<string>()
    const secret = `secret ${random.next()}`
    const server = await serveGuarded(registryOf(gate.promise, secret))
    try {
      const mine = await collect(server)
      for (const name of shuffled(random).slice(0, 12)) {
        attempts += 1
        const intruder = random.pick<PrincipalName>(['bob', 'otherApp'])
        const problem = await attempt(server, mine, name, intruder, secret)
        if (problem !== undefined) findings.push(`round ${round}, ${name} as ${intruder}: ${problem}`)
      }
      gate.resolve(secret)
      findings.push(...(await whatIsLost(server, mine, secret)).map((lost) => `round ${round}: ${lost}`))
      findings.push(...(await otherSocket(server, secret)).map((lost) => `round ${round}: ${lost}`))
      mine.subscription.drop()
      mine.sse.stream.drop()
    } finally {
      await server.close()
    }
  }
  return { what: `${attempts} uses of names of other callers`, findings }
}

function registryOf(gate: Promise<string>, secret: string): Registry {
  const registry = new Registry()
  registry.addTool({ name: 'secret', run: () => secret })
  registry.addTool({
    name: 'streamed',
    run: (_args, ctx) => {
      ctx.progress(1)
      return secret
    },
  })
  registry.addTool({ name: 'job', taskSupport: 'optional', run: () => gate })
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => {
      await ctx.elicit('Sure?', EMPTY_FORM, { key: 'sure' })
      return secret
    },
  })
  return registry
}

function shuffled(random: Random): string[] {
  return NAMES.map((name) => ({ name, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ name }) => name)
}

async function collect(server: GuardedServer): Promise<Belongings> {
  const { mcp } = server
  const headers = server.as('alice')
  const session = await openSession(mcp, {}, headers)
  const streamed = await session.request('streamed', 'tools/call', {
    name: 'streamed',
    _meta: { progressToken: 1 },
  })
  await streamed.ended
  const stream = await exchange(server.sse, {
    method: 'GET',
    headers: { ...headers, accept: 'text/event-stream' },
  })
  const tasks = { headers, capabilities: { extensions: { [TASKS]: {} } } }
  const begun = await (await modern(mcp, 'tools/call', { name: 'job' }, tasks)).body()
  const params = { name: 'job', arguments: {}, task: { ttl: 60_000 } }
  const inSessionBegun = await (await session.request('task', 'tools/call', params)).body()
  const asking = { headers, capabilities: { elicitation: {} } }
  const asked = await (await modern(mcp, 'tools/call', { name: 'ask' }, asking)).body()
  const notifications = { toolsListChanged: true }
  const subscription = await modern(mcp, 'subscriptions/listen', { notifications }, { headers })
  await subscription.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
  return {
    session,
    sse: { id: text(stream.headers['mcp-session-id']), stream },
    eventId: text(streamed.events.find(({ id }) => id !== undefined)?.id),
    task: text(member(begun['result'], 'taskId')),
    sessionTask: text(member(member(inSessionBegun['result'], 'task'), 'taskId')),
    requestState: text(member(asked['result'], 'requestState')),
    subscription,
    waiting: {
      id: 'waiting',
      answer: session.request('waiting', 'tools/call', { name: 'job', arguments: {} }),
    },
  }
}

/** Returns what is wrong with the answers, if anything is. */
async function attempt(
  server: GuardedServer,
  mine: Belongings,
  name: string,
  intruder: PrincipalName,
  secret: string,
): Promise<string | undefined> {
  const tried = ATTEMPTS[name]
  if (tried === undefined) throw new Error(`there is no attempt "${name}"`)
  const headers = server.as(intruder)
  const own = tried.name(mine)
  const unknown = tried.unknown(own)
  const foreign = await heard(await tried.send(server, headers, own), own)
  const never = await heard(await tried.send(server, headers, unknown), unknown)
  if (foreign.includes(secret)) return `the secret came: ${foreign}`
  if (foreign !== never) return `${foreign} is another answer than ${never}`
  return /^(404|4\d\d) |-32602/.test(foreign) ? undefined : `it was not refused: ${foreign}`
}

/** What a response says, without the name that was sent. A stream that is opened is a finding in itself. */
async function heard(response: RawResponse, sent: string): Promise<string> {
  if (response.headers['content-type'] === 'text/event-stream' && response.status === 200) {
    response.drop()
    return '200 a stream'
  }
  let body = JSON.stringify(await response.body())
  for (const part of [sent, ...sent.split(' ')]) body = body.replaceAll(part, '…')
  return `${response.status} ${body}`
}

/** What the owner does not have any more. */
async function whatIsLost(server: GuardedServer, mine: Belongings, secret: string): Promise<string[]> {
  const headers = server.as('alice')
  const checks: Readonly<Record<string, () => Promise<unknown>>> = {
    'the call that waited': async () => (await mine.waiting.answer).body(),
    'the session': async () =>
      (await mine.session.request('after', 'tools/call', { name: 'secret', arguments: {} })).body(),
    'the task of the session': async () =>
      (await mine.session.request('result', 'tasks/result', { taskId: mine.sessionTask })).body(),
    'the sealed state': async () =>
      (await ATTEMPTS['the sealed state']?.send(server, headers, mine.requestState))?.body(),
    'the task': async () => {
      for (;;) {
        const got = await (await ATTEMPTS['tasks/get']?.send(server, headers, mine.task))?.body()
        if (!JSON.stringify(got).includes('"working"')) return got
      }
    },
  }
  const lost: string[] = []
  for (const [what, check] of Object.entries(checks)) {
    const got = JSON.stringify(await check())
    if (!got.includes(secret)) lost.push(`the owner lost ${what}: ${got}`)
  }
  if (mine.subscription.messages.some(({ id }) => id !== undefined))
    lost.push('the subscription of the owner ended')
  return lost
}

/** A WebSocket of another user with the ids of the owner's requests gets nothing of the owner's. */
async function otherSocket(server: GuardedServer, secret: string): Promise<string[]> {
  const socket = new WebSocket(server.ws, 'mcp', { headers: server.as('bob') })
  return new Promise((resolve, reject) => {
    const seen: string[] = []
    socket.on('error', reject)
    socket.on('open', () => {
      const params = {
        protocolVersion: REVISION,
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      }
      socket.send(JSON.stringify(rpc('initialize', params, 'streamed')))
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
      socket.send(JSON.stringify(rpc('tasks/list', {}, 'waiting')))
      socket.send(JSON.stringify(rpc('ping', {}, 'last')))
    })
    socket.on('message', (data: Buffer) => {
      seen.push(data.toString())
      if (!data.toString().includes('"last"')) return
      socket.terminate()
      const all = seen.join('\n')
      resolve(all.includes(secret) || all.includes('"taskId"') ? [`a WebSocket of bob got ${all}`] : [])
    })
  })
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function text(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Error(`expected a name, got ${String(value)}`)
  return value
}
