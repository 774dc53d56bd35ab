import { passiveCheck, serverCheck } from '../../check.ts'
import type { HttpExchange } from '../../probe/http-exchange.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'

const ACCEPT = 'application/json, text/event-stream'

/** Posts the first request of the revision with these headers. */
export async function post(
  probe: ServerProbe,
  url: string,
  headers: Readonly<Record<string, string>>,
  members: object = {},
): Promise<HttpExchange> {
  const connection = await probe.open({ handshake: 'none', url })
  const message = probe.isModern
    ? connection.compose('server/discover')
    : connection.compose('initialize', {
        protocolVersion: probe.cell.revision,
        capabilities: {},
        clientInfo: { name: 'patchbay-check', version: '1.0.0' },
      })
  const modern = probe.isModern
    ? { 'mcp-protocol-version': probe.cell.revision, 'mcp-method': 'server/discover' }
    : {}
  const exchange = probe.http({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...modern, ...headers },
    body: JSON.stringify({ ...message, ...members }),
  })
  await exchange.ended
  return exchange
}

export const challenge401 = serverCheck(
  'auth.server.401',
  async (probe) => {
    const { url } = probe.protectedServer()
    const exchange = await post(probe, url, {})
    const { status = 0, headers = {} } = exchange.response ?? {}
    const frame = exchange.responseFrame ?? exchange.requestFrame
    const isRefused = probe.expect(status === 401, {
      expected: 'HTTP 401 without a token',
      actual: `HTTP ${status}`,
      statement: 'auth.token-401',
      frame,
    })
    const challenge = headers['www-authenticate'] ?? ''
    if (isRefused && !/resource_metadata=/.test(challenge)) {
      const finding = {
        expected: 'WWW-Authenticate with resource_metadata',
        actual: challenge === '' ? 'no such header' : challenge,
        statement: 'auth.www-authenticate-401',
        frame,
      }
      if (probe.cell.revision === '2025-06-18') probe.fail(finding)
      else if (challenge === '') probe.warn(finding)
    }
    for (const method of ['GET', 'DELETE']) {
      const other = probe.http({ method, url, headers: { accept: 'text/event-stream' } })
      await other.head
      const got = other.response?.status ?? 0
      probe.expect(got === 401 || got === 405, {
        expected: `HTTP 401 to ${method} without a token, or 405`,
        actual: `HTTP ${got}`,
        statement: 'auth.error-status',
        frame: other.responseFrame ?? other.requestFrame,
      })
      other.close()
    }
  },
  { title: 'Requests without a token are refused with 401' },
)

export const invalidToken = serverCheck(
  'auth.server.invalid-token',
  async (probe) => {
    const { url, token, mint } = probe.protectedServer()
    const [head = '', claims = '', signature = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    const bad: [name: string, value: string, mayBe400: boolean][] = [
      ['a random token', 'Bearer cGF0Y2hiYXk', false],
      ['an empty token', 'Bearer ', true],
      ['the Basic scheme', `Basic ${Buffer.from('a:b').toString('base64')}`, true],
    ]
    if (claims !== '') {
      bad.push(['an altered signature', `Bearer ${head}.${claims}.${flipped}`, false])
      bad.push(['alg none', `Bearer ${none}.${claims}.`, false])
    }
    if (mint !== undefined)
      bad.push(['an expired token', `Bearer ${await mint({ expiresInS: -3_600 })}`, false])
    for (const [name, authorization, mayBe400] of bad) {
      const exchange = await post(probe, url, { authorization })
      const status = exchange.response?.status ?? 0
      if (status === 401 || (mayBe400 && status === 400)) continue
      const finding = {
        expected: `HTTP 401 to ${name}`,
        actual: `HTTP ${status}`,
        statement: 'auth.token-invalid-401',
        frame: exchange.responseFrame ?? exchange.requestFrame,
      }
      if (status >= 500) probe.warn(finding)
      else probe.fail(finding)
    }
    const inQuery = await post(probe, `${url}?access_token=${token}`, {})
    if ((inQuery.response?.status ?? 0) < 300)
      probe.warn({
        expected: 'a token in the query refused',
        actual: `HTTP ${inQuery.response?.status ?? ''}`,
        statement: 'auth.token-header',
        frame: inQuery.responseFrame ?? inQuery.requestFrame,
      })
  },
  { title: 'Invalid tokens are refused with 401' },
)

export const clientTokenHeader = passiveCheck(
  'auth.client.token-header',
  (transcript) => {
    for (const run of transcript.runs()) {
      const requests = run.filter(
        ({ from, http }) => from === 'client' && http?.url.startsWith('/mcp') === true,
      )
      const first = requests.findIndex(({ http }) => http?.headers['authorization'] !== undefined)
      if (first === -1) continue
      for (const frame of requests.slice(first)) {
        transcript.see()
        const { authorization } = frame.http?.headers ?? {}
        transcript.expect(/^bearer ./i.test(authorization ?? ''), {
          expected: `Authorization: Bearer on ${frame.http?.method ?? ''}`,
          actual: authorization ?? 'no such header',
          statement: 'auth.token-every-request',
          frame,
        })
        transcript.expect(!/[?&]access_token=/.test(frame.http?.url ?? ''), {
          expected: 'no token in the address',
          actual: frame.http?.url ?? '',
          statement: 'auth.token-not-in-query',
          frame,
        })
      }
    }
  },
  { title: 'The client sends its token in the header of every request' },
)
