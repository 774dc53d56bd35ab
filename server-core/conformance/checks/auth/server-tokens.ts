import { serverCheck } from '../../check.ts'
import type { HttpConnection } from '../../probe/http-connection.ts'
import { describeOutcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { post } from './tokens.ts'

const statusOf = (exchange: { readonly response?: { readonly status: number } | undefined }) =>
  exchange.response?.status ?? 0

/** The token mint of the examiner; not applicable without one. */
function mintOf(probe: ServerProbe) {
  const { mint } = probe.protectedServer()
  return mint ?? probe.notApplicable('no tokens can be minted for the server')
}

export const audience = serverCheck(
  'auth.server.audience',
  async (probe) => {
    const { url } = probe.protectedServer()
    const mint = mintOf(probe)
    const foreign = await post(probe, url, {
      authorization: `Bearer ${await mint({ audience: 'https://other.example/mcp' })}`,
    })
    probe.expect(statusOf(foreign) === 401, {
      expected: 'HTTP 401 to a token for another audience',
      actual: `HTTP ${statusOf(foreign)}`,
      statement: 'auth.token-audience',
      frame: foreign.responseFrame ?? foreign.requestFrame,
    })
    const none = await post(probe, url, {
      authorization: `Bearer ${await mint({ claims: { aud: undefined } })}`,
    })
    if (statusOf(none) !== 401)
      probe.warn({
        expected: 'HTTP 401 to a token without audience',
        actual: `HTTP ${statusOf(none)}`,
        statement: 'auth.token-audience',
        frame: none.responseFrame ?? none.requestFrame,
      })
  },
  { title: 'Tokens for other servers are refused' },
)

export const foreignToken = serverCheck(
  'security.server.foreign-token',
  async (probe) => {
    const { url } = probe.protectedServer()
    const mint = mintOf(probe)
    const token = await mint({ audience: 'https://another.example/mcp' })
    const exchange = await post(probe, url, { authorization: `Bearer ${token}` })
    probe.expect(statusOf(exchange) === 401, {
      expected: 'HTTP 401 to a token for another resource of the same issuer',
      actual: `HTTP ${statusOf(exchange)}`,
      statement: 'security.token-foreign-refused',
      frame: exchange.responseFrame ?? exchange.requestFrame,
    })
  },
  { title: 'Tokens for another resource are refused' },
)

/** One request of each method in a session, with another token or none. */
async function inSession(
  probe: ServerProbe,
  connection: HttpConnection,
  token: string | undefined,
  judge: (method: string, status: number, frame: HttpConnection['exchanges'][number]) => void,
): Promise<void> {
  const { authorization: _, ...own } = connection.headersFor(undefined)
  const message = connection.compose('tools/list')
  for (const method of ['POST', 'GET', 'DELETE']) {
    if (method !== 'POST' && connection.isModern) continue
    const headers = {
      ...(method === 'POST' ? connection.headersFor(message) : own),
      ...(method === 'GET' && { accept: 'text/event-stream' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const exchange = probe.http({
      method,
      url: connection.url,
      headers,
      ...(method === 'POST' && { body: JSON.stringify(message) }),
    })
    await probe.owed(exchange.head)
    judge(method, statusOf(exchange), exchange)
    exchange.close()
  }
}

export const everyRequest = serverCheck(
  'auth.server.every-request',
  async (probe) => {
    const { secondToken } = probe.protectedServer()
    const connection = await probe.connectProtected({ stream: false })
    await inSession(probe, connection, undefined, (method, status, exchange) => {
      probe.expect(status === 401 || (method !== 'POST' && status === 405), {
        expected: `HTTP 401 to ${method} without a token in a valid session`,
        actual: `HTTP ${status}`,
        statement: 'auth.token-every-request',
        frame: exchange.responseFrame ?? exchange.requestFrame,
      })
    })
    if (secondToken === undefined || connection.sessionId === undefined) return
    const other = await probe.connectProtected({ stream: false })
    await inSession(probe, other, secondToken, (method, status, exchange) => {
      probe.expect(status === 403 || status === 404 || status === 401 || status === 405, {
        expected: `HTTP 403 or 404 to ${method} of another principal`,
        actual: `HTTP ${status}`,
        statement: 'auth.token-validated',
        frame: exchange.responseFrame ?? exchange.requestFrame,
      })
    })
  },
  { title: 'Every request of a session needs its token' },
)

export const sessionNotAuth = serverCheck(
  'security.server.session-not-auth',
  async (probe) => {
    const { secondToken, mint } = probe.protectedServer()
    const cases: readonly (readonly [what: string, token: string | undefined, isBound: boolean])[] = [
      ['no token', undefined, false],
      ...(mint === undefined
        ? []
        : [['an expired token', await mint({ expiresInS: -3_600 }), false] as const]),
      ...(secondToken === undefined ? [] : [['the token of another principal', secondToken, true] as const]),
    ]
    for (const [what, token, isBound] of cases) {
      const connection = await probe.connectProtected({ stream: false })
      if (connection.sessionId === undefined && !connection.isModern)
        return probe.notApplicable('the server issues no session ids')
      // A request of 2026-07-28 has no session: another principal is another client.
      if (connection.isModern && isBound) continue
      await inSession(probe, connection, token, (method, status, exchange) => {
        if (status >= 400 && status < 500) return
        const finding = {
          expected: `HTTP 401, 403 or 404 to ${method} in a session with ${what}`,
          actual: `HTTP ${status}`,
          statement: isBound ? 'security.session-user-bound' : 'security.sessions-not-auth',
          frame: exchange.responseFrame ?? exchange.requestFrame,
        }
        if (isBound) probe.warn(finding)
        else probe.fail(finding)
      })
    }
  },
  { title: 'A session id does not authorize' },
)

export const sessionHijack = serverCheck(
  'neg.server.session-hijack',
  async (probe) => {
    const { secondToken } = probe.protectedServer()
    if (secondToken === undefined) return probe.notApplicable('no token of a second principal is known')
    const connection = await probe.connectProtected({ stream: false })
    if (connection.isModern || connection.sessionId === undefined)
      return probe.notApplicable('the server has no sessions')
    await inSession(probe, connection, secondToken, (method, status, exchange) => {
      probe.expect(status >= 400 && status < 500, {
        expected: `${method} in the session of another principal refused`,
        actual: `HTTP ${status}`,
        statement: 'http.session.id-secure',
        frame: exchange.responseFrame ?? exchange.requestFrame,
      })
    })
    const still = await connection.call('ping')
    if (still.type !== 'result')
      probe.fail({
        expected: 'the session of the first principal to live on',
        actual: describeOutcome(still),
        statement: 'auth.token-every-request',
        frame: still.sent,
      })
  },
  { title: 'Sessions cannot be taken over' },
)

export const scope = serverCheck(
  'auth.server.scope',
  async (probe) => {
    const mint = mintOf(probe)
    const few = await probe.connectProtected({ token: await mint({}), stream: false })
    const tool = probe.findFixture('echo') ?? probe.fixture('simple')
    const params = { name: tool.name, arguments: tool.arguments }
    const outcome = await few.call('tools/call', params)
    if (outcome.type === 'result') return probe.notApplicable('no operation is known that needs more scopes')
    const { http } = outcome
    const challenge = http?.headers['www-authenticate'] ?? ''
    const frame = outcome.frame ?? outcome.sent
    const isRefused = probe.expect(http?.status === 403 && /insufficient_scope/.test(challenge), {
      expected: 'HTTP 403 with insufficient_scope',
      actual: describeOutcome(outcome),
      statement: 'auth.scope-insufficient-403',
      frame,
    })
    if (!isRefused) return
    const named = /\bscope="([^"]*)"/.exec(challenge)?.[1]
    if (named === undefined) {
      probe.warn({
        expected: 'the scopes that are needed',
        actual: challenge,
        statement: 'auth.scope-in-challenge',
        frame,
      })
      return
    }
    const more = await probe.connectProtected({ token: await mint({ scope: named }), stream: false })
    const again = await more.call('tools/call', params)
    if (again.type === 'result') return
    probe.warn({
      expected: `a call that is served with the scopes ${named}`,
      actual: describeOutcome(again),
      statement: 'auth.scope-challenge-complete',
      frame: again.frame ?? again.sent,
    })
  },
  { title: 'Missing scopes are named all at once' },
)

const BIG = 8 * 1024 * 1024

export const order = serverCheck(
  'auth.server.order',
  async (probe) => {
    const { url } = probe.protectedServer()
    const bodies: readonly (readonly [what: string, body: string])[] = [
      ['a body that is not JSON', '{"jsonrpc":'],
      ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"patchbay/none"}'],
      ['a huge body', `"${'x'.repeat(BIG)}"`],
    ]
    for (const [what, body] of bodies) {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const exchange = probe.http({ method: 'POST', url, headers, body })
      await probe.owed(exchange.head)
      const status = statusOf(exchange)
      const frame = exchange.responseFrame ?? exchange.requestFrame
      exchange.close()
      const isRefused = status === 401 || (body.length >= BIG && (status === 413 || status === 0))
      if (isRefused) continue
      const finding = {
        expected: `HTTP 401 to ${what} without a token`,
        actual: `HTTP ${status}`,
        statement: 'auth.token-validated',
        frame,
      }
      if (status === 400) probe.warn(finding)
      else probe.fail(finding)
    }
  },
  { title: 'The token is looked at first' },
)
