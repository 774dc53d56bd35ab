import { serverCheck } from '../../check.ts'
import type { HttpConnection } from '../../probe/http-connection.ts'
import type { HttpExchange } from '../../probe/http-exchange.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import type { SseConnection } from '../../probe/sse-connection.ts'
import { describeHead, headOf, isRefused, typeOf } from './http-probing.ts'

const FOREIGN = ['http://evil.example', 'http://localhost.evil.example', 'null'] as const

type Attempt = { readonly method: string; readonly exchange: HttpExchange }

/** One POST, one GET and, over Streamable HTTP, one DELETE with further headers. */
async function attempts(
  probe: ServerProbe,
  connection: HttpConnection | SseConnection,
  headers: Readonly<Record<string, string>>,
): Promise<readonly Attempt[]> {
  const { method } = probe.cheapRequest()
  const { exchange } = await connection.send(connection.compose(method), { headers })
  const post = exchange === undefined ? [] : [{ method: 'POST', exchange }]
  const stream = { accept: 'text/event-stream', ...headers }
  if (connection.transport === 'sse')
    return [
      ...post,
      { method: 'GET', exchange: connection.http({ method: 'GET', url: connection.url, headers: stream }) },
    ]
  const { 'content-type': _, ...session } = connection.headersFor(undefined)
  return [
    ...post,
    { method: 'GET', exchange: connection.http({ method: 'GET', headers: { ...session, ...stream } }) },
    {
      method: 'DELETE',
      exchange: connection.http({ method: 'DELETE', headers: { ...session, ...headers } }),
    },
  ]
}

async function connectEither(probe: ServerProbe): Promise<HttpConnection | SseConnection> {
  return probe.cell.transport === 'sse' ? probe.connectSse() : probe.connectHttp({ stream: false })
}

export const originChecked = serverCheck(
  'http.server.origin',
  async (probe) => {
    const isSse = probe.cell.transport === 'sse'
    for (const origin of FOREIGN) {
      const connection = await connectEither(probe)
      for (const { method, exchange } of await attempts(probe, connection, { origin })) {
        const head = await headOf(probe, exchange)
        const frame = exchange.responseFrame ?? exchange.requestFrame
        if (method === 'GET') exchange.close()
        if (head === undefined || head.status === 403) continue
        if (method !== 'POST' && head.status === 405) continue
        const isServed = !isRefused(head) && head.status < 500
        const input = {
          expected: `403 for ${method} with Origin ${origin}`,
          actual: describeHead(head),
          statement: isSse ? 'sse.origin-validate' : isServed ? 'http.origin.validate' : 'http.origin.403',
          frame,
        }
        const isOld = probe.cell.revision < '2025-11-25'
        if ((isServed && origin === 'null') || (!isServed && isOld)) probe.warn(input)
        else probe.fail(input)
      }
    }
    const connection = await connectEither(probe)
    const [absent] = await attempts(probe, connection, {})
    const head = absent === undefined ? undefined : await headOf(probe, absent.exchange)
    probe.expect(head !== undefined && head.status < 400, {
      expected: 'service without Origin',
      actual: describeHead(head),
      statement: 'http.origin.validate',
      frame: absent?.exchange.responseFrame ?? absent?.exchange.requestFrame,
    })
  },
  { title: 'Requests of foreign pages are refused with 403' },
)

export const hostChecked = serverCheck(
  'http.server.host',
  async (probe) => {
    const { hostname, port } = new URL((await connectEither(probe)).url)
    if (!/^(127\.|localhost$|\[::1\]$)/.test(hostname)) probe.notApplicable('the server is not on loopback')
    for (const host of ['evil.example', `evil.example:${port}`]) {
      const connection = await connectEither(probe)
      const [post] = await attempts(probe, connection, { host })
      const head = post === undefined ? undefined : await headOf(probe, post.exchange)
      if (head === undefined || head.status >= 400) continue
      probe.inform({
        expected: `a refusal of Host ${host} on loopback`,
        actual: describeHead(head),
        frame: post?.exchange.responseFrame ?? post?.exchange.requestFrame,
      })
    }
  },
  { title: 'Requests under a foreign host name are refused on loopback' },
)

export const authFramework = serverCheck(
  'http.auth.framework',
  async (probe) => {
    const connection = await connectEither(probe)
    const { authorization: configured } = probe.target.headers ?? {}
    const message = connection.compose(probe.cheapRequest().method)
    const exchange = probe.http({
      method: 'POST',
      headers: connection.transport === 'http' ? connection.headersFor(message) : {},
      body: JSON.stringify(message),
    })
    const head = await headOf(probe, exchange)
    const isLogin =
      typeOf(head) === 'text/html' || (head !== undefined && head.status >= 300 && head.status < 400)
    if (!isLogin && head?.status !== 401 && (configured === undefined || head?.status !== 403))
      probe.inconclusive(`no token is needed: ${describeHead(head)}`)
    const challenge = head?.headers['www-authenticate'] ?? ''
    probe.expect(head?.status === 401 && /\bBearer\b/i.test(challenge), {
      expected: '401 with a Bearer challenge',
      actual: challenge === '' ? describeHead(head) : `${describeHead(head)}, "${challenge}"`,
      frame: exchange.responseFrame ?? exchange.requestFrame,
    })
  },
  { title: 'A missing token is answered by 401 with a Bearer challenge' },
)
