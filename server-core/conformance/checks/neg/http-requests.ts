import { gzipSync } from 'node:zlib'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { HttpConnection } from '../../probe/http-connection.ts'
import type { HttpExchange } from '../../probe/http-exchange.ts'
import { PROBE_IDENTITY } from '../../probe/connection.ts'
import { describeOutcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { elapsed } from '../../probe/waits.ts'

const BIG = 96 * 1024 * 1024

/** A request that opens the revision: each server answers it. */
function openingRequest(probe: ServerProbe, connection: HttpConnection): JsonObject {
  if (probe.isModern) return connection.compose('server/discover')
  return connection.compose('initialize', {
    protocolVersion: probe.cell.revision,
    capabilities: {},
    clientInfo: PROBE_IDENTITY,
  })
}

/** Whether a body holds the result of a request: it was executed. */
function wasExecuted(exchange: HttpExchange): boolean {
  const text = exchange.body.toString()
  const data = /^data: ?(.*)$/m.exec(text)?.[1] ?? text
  try {
    const value = JSON.parse(data) as unknown
    return isJsonObject(value) && isJsonObject(value['result'])
  } catch {
    return false
  }
}

/** Resolves when the response has ended, or the time for an answer is over. */
async function settled(probe: ServerProbe, exchange: HttpExchange, factor = 1): Promise<void> {
  await probe.owed(exchange.ended, factor)
}

const bodySingle = (probe: ServerProbe): string =>
  probe.isModern ? 'http26.post.body-single' : 'http.post.body-single'

export const methods = serverCheck(
  'neg.http.methods',
  async (probe) => {
    const connection = await probe.connectHttp({ handshake: 'none' })
    const message = openingRequest(probe, connection)
    const statement = probe.isModern ? 'http26.endpoint.single-path' : 'http.endpoint.single-path'
    const other = new URL('/patchbay-none', connection.url).href
    const requests = [
      ...['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'].map((method) => ({ method, url: connection.url })),
      { method: 'POST', url: other },
    ]
    for (const { method, url } of requests) {
      const hasBody = ['PUT', 'PATCH', 'POST'].includes(method)
      const exchange = connection.http({
        method,
        url,
        headers: connection.headersFor(message),
        ...(hasBody && { body: JSON.stringify(message) }),
      })
      await settled(probe, exchange)
      const status = exchange.response?.status
      if (status === undefined) continue
      const what = url === other ? `${method} of another path` : method
      const frame = exchange.responseFrame ?? exchange.requestFrame
      probe.expect(!wasExecuted(exchange), {
        expected: `${what} refused`,
        actual: `HTTP ${status}, and the message was executed`,
        statement,
        frame,
      })
      if (status >= 500 && status !== 501)
        probe.warn({ expected: `${what} refused by 404 or 405`, actual: `HTTP ${status}`, statement, frame })
    }
  },
  { title: 'Other methods and paths execute nothing' },
)

export const contentType = serverCheck(
  'neg.http.content-type',
  async (probe) => {
    const connection = await probe.connectHttp({ handshake: 'none' })
    const body = JSON.stringify(openingRequest(probe, connection))
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      null,
      'application/json; charset=utf-16',
      'application/json; charset=utf-8; profile="patchbay"',
    ]
    for (const type of types) {
      const message = openingRequest(probe, connection)
      const headers = { ...connection.headersFor(message), 'content-type': type }
      const exchange = connection.http({ method: 'POST', headers, body })
      await settled(probe, exchange)
      const status = exchange.response?.status
      if (status === undefined) continue
      const frame = exchange.responseFrame ?? exchange.requestFrame
      const mustServe = type?.includes('profile') === true
      const executed = wasExecuted(exchange)
      if (mustServe ? !executed : executed && type?.includes('utf-16') !== true)
        probe.warn({
          expected: mustServe ? `${type} served` : `${type ?? 'no Content-Type'} refused by 415 or 400`,
          actual: `HTTP ${status}${executed ? ', and the message was executed' : ''}`,
          member: '/headers/content-type',
          statement: bodySingle(probe),
          frame,
        })
    }
  },
  { title: 'Bodies of other types are refused, parameters of the type accepted' },
)

export const big = serverCheck(
  'neg.http.big',
  async (probe) => {
    const connection = await probe.connectHttp({ handshake: 'none' })
    const message = openingRequest(probe, connection)
    const text = JSON.stringify(message)
    const headers = connection.headersFor(message)
    const padded = Buffer.alloc(BIG, 0x20)
    padded.write(text)
    const bomb = gzipSync(padded)
    const requests = [
      { what: `a body of ${BIG} bytes`, headers, body: padded },
      { what: 'a gzip bomb', headers: { ...headers, 'content-encoding': 'gzip' }, body: bomb },
    ]
    for (const { what, headers: own, body } of requests) {
      // The body itself is kept out of the log.
      const exchange = probe.http({ method: 'POST', headers: own, body })
      await settled(probe, exchange, 4)
      const executed = wasExecuted(exchange)
      exchange.close()
      probe.expect(!executed, {
        expected: `${what} refused by 413 or 400`,
        actual: `HTTP ${exchange.response?.status ?? ''}, and the message was executed`,
        frame: exchange.responseFrame,
      })
    }
    const endless = probe.http({
      method: 'POST',
      head: `POST ${new URL(connection.url).pathname} HTTP/1.1\r\nhost: ${new URL(connection.url).host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`,
    })
    await elapsed(probe.waits.silenceMs)
    const next = await probe.open()
    const outcome = await next.exchange(openingRequest(probe, connection), { match: 'any' })
    endless.close()
    probe.expect(outcome.type === 'result', {
      expected: 'the server serves on',
      actual: describeOutcome(outcome),
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'Huge bodies are refused, and the server serves on', slow: true },
)

export const slow = serverCheck(
  'neg.http.slow',
  async (probe) => {
    const connection = await probe.connectHttp({ handshake: 'none' })
    const { pathname, host } = new URL(connection.url)
    const slowOnes = Array.from({ length: 200 }, (_, index) =>
      probe.http({
        method: 'POST',
        head:
          index % 2 === 0
            ? `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\n`
            : `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
      }),
    )
    await elapsed(probe.waits.silenceMs)
    const other = await probe.open()
    const outcome = await other.exchange(openingRequest(probe, connection), {
      match: 'any',
      timeoutMs: 2 * probe.waits.answerMs,
    })
    for (const exchange of slowOnes) exchange.close()
    if (outcome.type !== 'result')
      probe.warn({
        expected: 'other clients are served beside 200 slow ones',
        actual: describeOutcome(outcome),
        frame: outcome.frame ?? outcome.sent,
      })
  },
  { title: 'Slow clients do not keep others from being served', slow: true },
)
