import { isLoopbackHost } from '../../../ports/host-name.ts'
import { serverCheck, type Check } from '../../check.ts'
import { PROBE_IDENTITY } from '../../probe/connection.ts'
import { shortJson } from '../../probe/outcome.ts'

const HANDSHAKES = 200
const FOREIGN_ORIGIN = 'https://patchbay-foreign.example'

const entropy = serverCheck(
  'security.server.session-entropy',
  async (probe) => {
    const ids: string[] = []
    for (let count = 0; count < HANDSHAKES; count += 1) {
      const connection = await probe.connectHttp({ stream: false, handshake: 'initialize' })
      if (connection.sessionId === undefined) return probe.notApplicable('the server issues no session ids')
      ids.push(connection.sessionId)
      await connection.deleteSession()
    }
    probe.expect(new Set(ids).size === ids.length, {
      expected: `${ids.length} different session ids`,
      actual: `${new Set(ids).size}`,
      member: '/headers/mcp-session-id',
      statement: 'http.session.id-secure',
    })
    const bits = varyingBits(ids)
    probe.expect(bits >= 64, {
      expected: 'session ids with at least 64 bits that vary',
      actual: `${Math.floor(bits)} bits: ${ids.slice(0, 3).map(shortJson).join(', ')}`,
      member: '/headers/mcp-session-id',
      statement: 'security.session-ids-random',
    })
  },
  { title: 'Session ids cannot be guessed', slow: true },
)

/** How many bits the characters of the ids carry, place by place. */
function varyingBits(ids: readonly string[]): number {
  const longest = Math.max(...ids.map(({ length }) => length))
  let bits = 0
  for (let place = 0; place < longest; place += 1) bits += Math.log2(new Set(ids.map((id) => id[place])).size)
  return bits
}

const local = serverCheck(
  'security.server.local',
  async (probe) => {
    const address = probe.target[probe.cell.transport]
    if (typeof address !== 'string' || !isLoopbackHost(new URL(address).hostname))
      return probe.notApplicable('the server does not listen on loopback')
    const params = { protocolVersion: probe.cell.revision, capabilities: {}, clientInfo: PROBE_IDENTITY }
    const connection = await probe.open(probe.cell.transport === 'sse' ? {} : { handshake: 'none' })
    const message = probe.isModern
      ? connection.compose('server/discover')
      : connection.compose('initialize', params)
    const isStream = probe.cell.transport === 'sse'
    const exchange = probe.http({
      method: isStream ? 'GET' : 'POST',
      url: address,
      headers: {
        accept: isStream ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(!isStream && { 'content-type': 'application/json' }),
        ...(probe.isModern && {
          'mcp-protocol-version': probe.cell.revision,
          'mcp-method': 'server/discover',
        }),
        origin: FOREIGN_ORIGIN,
      },
      ...(!isStream && { body: JSON.stringify(message) }),
    })
    const head = await probe.owed(exchange.head)
    if (head === undefined) return probe.inconclusive('the request with a foreign Origin was not answered')
    if (head.status === 200)
      probe.warn({
        expected: `a request of a page of ${FOREIGN_ORIGIN} refused`,
        actual: 'HTTP 200',
        member: '/headers/origin',
        frame: exchange.responseFrame ?? exchange.requestFrame,
      })
  },
  { title: 'A server on this machine does not serve any page' },
)

/** The checks of what servers do to be safe. */
export const SERVER_SAFETY_CHECKS: readonly Check[] = [entropy, local]
