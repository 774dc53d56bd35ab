import { serverCheck } from '../../check.ts'
import type { HttpConnection } from '../../probe/http-connection.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { describeHead, headOf, isRefused, isServed } from './http-probing.ts'

const HANDSHAKES = 50
const AT_ONCE = 10
const SHORTEST = 16
/** Two random ids share no more than their random part allows; a counter changes a few characters. */
const MIN_VARIED = 8

export const sessionIds = serverCheck(
  'http.server.session-id',
  async (probe) => {
    const connections: HttpConnection[] = []
    while (connections.length < HANDSHAKES) {
      const open = () => probe.connectHttp({ stream: false, handshake: 'initialize' })
      connections.push(...(await Promise.all(Array.from({ length: AT_ONCE }, open))))
    }
    const ids = connections.flatMap(({ sessionId }) => sessionId ?? [])
    if (ids.length === 0) probe.notApplicable('the server issues no session id')
    const frame = connections.flatMap(({ exchanges }) => exchanges[0]?.responseFrame ?? []).slice(0, 3)
    const invisible = ids.find((id) => !/^[\x21-\x7e]+$/.test(id))
    probe.expect(invisible === undefined, {
      expected: 'ids of visible ASCII',
      actual: shortJson(invisible),
      statement: 'http.session.id-visible-ascii',
      frame,
    })
    const weak = weaknessOf(ids)
    if (weak === undefined) return
    probe.warn({
      expected: 'ids that cannot be guessed',
      actual: weak,
      statement: 'http.session.id-secure',
      frame,
    })
  },
  { title: 'Session ids are visible ASCII and cannot be guessed' },
)

function weaknessOf(ids: readonly string[]): string | undefined {
  if (new Set(ids).size < ids.length) return 'an id that was issued twice'
  const short = ids.find(({ length }) => length < SHORTEST)
  if (short !== undefined) return `${shortJson(short)}, of ${short.length} characters`
  const [first = ''] = ids
  const shared = (from: (id: string, at: number) => string | undefined) => {
    let length = 0
    while (length < first.length && ids.every((id) => from(id, length) === from(first, length))) length += 1
    return length
  }
  const varied = first.length - shared((id, at) => id[at]) - shared((id, at) => id.at(-1 - at))
  return varied < MIN_VARIED
    ? `ids that differ in ${varied} characters, such as ${shortJson(first)}`
    : undefined
}

function requireSession(probe: ServerProbe, connection: HttpConnection): void {
  if (connection.sessionId === undefined) probe.notApplicable('the server issues no session id')
}

/** The status that a request got, as far as HTTP tells it. */
function statusOf(outcome: Outcome): number | undefined {
  return outcome.http?.status
}

export const sessionMissing = serverCheck(
  'http.server.session-missing',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    requireSession(probe, connection)
    const outcome = await connection.call('tools/list', undefined, { headers: { 'mcp-session-id': null } })
    const status = statusOf(outcome)
    if (status === 400) return
    const input = {
      expected: '400 for a request without its session id',
      actual: describeOutcome(outcome),
      frame: outcome.frame ?? outcome.sent,
    }
    if (status !== undefined && status < 300) probe.inform(input)
    else probe.warn(input)
  },
  { title: 'A request without session id is refused with 400' },
)

export const sessionDead = serverCheck(
  'http.server.session-dead',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    requireSession(probe, connection)
    const deleted = await connection.deleteSession()
    const head = await headOf(probe, deleted)
    const isOffered = head?.status !== 405
    probe.expect(head !== undefined && (isServed(head) || !isOffered), {
      expected: 'DELETE accepted, or 405',
      actual: describeHead(head),
      statement: 'http.session.delete-honoured',
      frame: deleted.responseFrame ?? deleted.requestFrame,
    })
    const after = await connection.call('tools/list')
    if (isOffered && head !== undefined && isServed(head)) {
      probe.expect(statusOf(after) === 404, {
        expected: '404 for a session that was ended',
        actual: describeOutcome(after),
        statement: 'http.session.terminated-404',
        frame: after.frame ?? after.sent,
      })
    }
    const invented = await connection.call('tools/list', undefined, {
      headers: { 'mcp-session-id': 'patchbay-invented-session' },
    })
    const status = statusOf(invented) ?? 0
    if (status >= 400 && status < 500) return
    probe.warn({
      expected: 'a 4xx for a session that never was',
      actual: describeOutcome(invented),
      statement: 'http.session.terminated-404',
      frame: invented.frame ?? invented.sent,
    })
  },
  { title: 'A session that was ended no longer exists' },
)

export const versionHeaderBad = serverCheck(
  'http.server.version-header-bad',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    for (const version of ['1900-01-01', 'x', '2025-6-18']) {
      const outcome = await connection.call('ping', undefined, {
        headers: { 'mcp-protocol-version': version },
      })
      probe.expect(statusOf(outcome) === 400, {
        expected: `400 for the version header "${version}"`,
        actual: describeOutcome(outcome),
        frame: outcome.frame ?? outcome.sent,
      })
    }
  },
  { title: 'An invalid version header is refused with 400' },
)

export const versionHeaderAbsent = serverCheck(
  'http.server.version-header-absent',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    const headers = { 'mcp-protocol-version': null }
    const outcome = await connection.call('ping', undefined, { headers })
    const status = statusOf(outcome) ?? 0
    if (status >= 400) {
      probe.warn({
        expected: 'service without a version header',
        actual: describeOutcome(outcome),
        frame: outcome.frame ?? outcome.sent,
      })
    }
    if (connection.sessionId !== undefined) return
    const exchange = probe.http({
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
    const head = await headOf(probe, exchange)
    if (head !== undefined && isRefused(head)) {
      probe.inform({
        expected: 'service as 2025-03-26',
        actual: describeHead(head),
        frame: exchange.responseFrame ?? exchange.requestFrame,
      })
    }
  },
  { title: 'A missing version header is tolerated' },
)

export const versionHeaderDiffers = serverCheck(
  'http.server.version-header-differs',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    const headers = { 'mcp-protocol-version': '2025-03-26' }
    const outcome = await connection.call('ping', undefined, { headers })
    const status = statusOf(outcome) ?? 0
    if (status !== 400) {
      const input = {
        expected: `400 for another version than ${probe.cell.revision}`,
        actual: describeOutcome(outcome),
        frame: outcome.frame ?? outcome.sent,
      }
      if (status < 300) probe.inform(input)
      else probe.warn(input)
    }
    // Arrays are served in 2025-03-26 alone.
    const array = [connection.compose('ping')]
    const served = await connection.exchange(array, { headers, match: 'any' })
    probe.expect(served.type !== 'result', {
      expected: `the rules of ${probe.cell.revision}`,
      actual: 'an array served as in 2025-03-26',
      frame: served.frame ?? served.sent,
    })
  },
  { title: 'The version header does not change the version of a session' },
)
