import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { SUPPORTED } from '../../../protocol/revisions.ts'
import { serverCheck } from '../../check.ts'
import { PROBE_IDENTITY } from '../../probe/connection.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import { tourCapabilities } from '../../probe/tour-answers.ts'

const LEGACY = SUPPORTED.filter((revision) => revision < '2026-07-28')
const NEWEST_LEGACY = LEGACY.at(-1)

const frameOf = (outcome: Outcome) =>
  outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent]

export const handshake = serverCheck(
  'lifecycle.server.handshake',
  async (probe) => {
    const connection = await probe.open()
    const outcome = probe.isModern ? await connection.call('server/discover') : await connection.handshake()
    if (outcome === undefined) return
    const report = (member: string, expected: string, actual: string) => {
      probe.fail({
        expected,
        actual,
        member,
        statement: probe.isModern ? 'base.scope.core-required' : 'lifecycle.initialize.server-answer',
        frame: frameOf(outcome),
      })
    }
    if (outcome.type !== 'result') {
      report('/result', 'a result', describeOutcome(outcome))
      return
    }
    const { capabilities, protocolVersion, serverInfo, supportedVersions } = outcome.result
    if (!isJsonObject(capabilities)) report('/result/capabilities', 'an object', shortJson(capabilities))
    if (probe.isModern) {
      const isList =
        Array.isArray(supportedVersions) && supportedVersions.every((each) => typeof each === 'string')
      if (!isList) report('/result/supportedVersions', 'a list of revisions', shortJson(supportedVersions))
      return
    }
    if (typeof protocolVersion !== 'string')
      report('/result/protocolVersion', 'a revision', shortJson(protocolVersion))
    for (const member of ['name', 'version']) {
      const value = isJsonObject(serverInfo) ? serverInfo[member] : undefined
      if (typeof value !== 'string') report(`/result/serverInfo/${member}`, 'a string', shortJson(value))
    }
  },
  { title: 'The handshake is answered in full' },
)

export const versionEcho = serverCheck(
  'lifecycle.server.version-echo',
  async (probe) => {
    const connection = await probe.open()
    const outcome = await connection.handshake()
    if (outcome?.type !== 'result') {
      probe.inconclusive(outcome === undefined ? 'no handshake' : describeOutcome(outcome))
      return
    }
    const answered = outcome.result['protocolVersion']
    if (answered === probe.cell.revision) return
    // The cell is examined because the server answered another connection with this revision.
    probe.fail({
      expected: probe.cell.revision,
      actual: shortJson(answered),
      member: '/result/protocolVersion',
      frame: frameOf(outcome),
    })
  },
  { title: 'An offered revision that is supported is kept' },
)

export const versionCounter = serverCheck(
  'lifecycle.server.version-counter',
  async (probe) => {
    for (const offered of ['1900-01-01', '2099-01-01', 'x', '2026-07-28']) {
      const connection = await probe.open({ revision: offered, handshake: 'initialize' })
      const outcome = await connection.handshake()
      if (outcome === undefined) continue
      const where = { frame: frameOf(outcome), statement: 'lifecycle.version.counter-offer' }
      if (outcome.type === 'error') {
        const mayRefuse = outcome.code === -32_602 || outcome.code === -32_022
        if (!mayRefuse)
          probe.warn({
            expected: 'another revision, or error -32602',
            actual: describeOutcome(outcome),
            member: '/error/code',
            ...where,
          })
        continue
      }
      if (outcome.type !== 'result') {
        // An HTTP server may refuse a version header that nobody knows.
        const isRefused = outcome.type === 'http' && outcome.status >= 400 && outcome.status < 500
        if (!isRefused)
          probe.fail({
            expected: `another revision than ${offered}`,
            actual: describeOutcome(outcome),
            ...where,
          })
        continue
      }
      const answered = outcome.result['protocolVersion']
      const member = '/result/protocolVersion'
      if (!LEGACY.some((revision) => revision === answered)) {
        probe.fail({ expected: 'a revision with a handshake', actual: shortJson(answered), member, ...where })
      } else if (answered !== NEWEST_LEGACY && answered !== probe.server.opening['protocolVersion']) {
        const newest = [...LEGACY].reverse().find((revision) => revision <= String(answered))
        if (newest !== answered || String(answered) < probe.cell.revision)
          probe.warn({
            expected: 'the newest revision that the server supports',
            actual: shortJson(answered),
            member,
            frame: frameOf(outcome),
            statement: 'lifecycle.version.counter-latest',
          })
      }
      await connection.close()
    }
  },
  { title: 'Another revision is offered for an unknown one' },
)

export const beforeInitialize = serverCheck(
  'lifecycle.server.before-initialize',
  async (probe) => {
    const requests: (readonly [string, JsonObject?])[] = [['ping']]
    if (probe.declares('tools')) requests.push(['tools/list'])
    const uri = probe.server.resources[0]?.['uri']
    if (typeof uri === 'string') requests.push(['resources/read', { uri }])
    for (const [method, params] of requests) {
      const connection = await probe.open()
      const outcome = await connection.call(method, params)
      const frame = frameOf(outcome)
      if (outcome.type === 'closed' && probe.cell.transport !== 'http') {
        probe.fail({ expected: `${method} refused by an error`, actual: describeOutcome(outcome), frame })
      }
      if (outcome.type !== 'result' || method === 'ping') continue
      const isLoose = !probe.server.hasSession && probe.cell.transport === 'http'
      probe.fail({
        expected: `${method} refused before initialize`,
        actual: describeOutcome(outcome),
        frame,
        ...((isLoose || (await isDualEra(connection))) && { severity: 'info' as const }),
      })
    }
  },
  { title: 'Nothing is served before initialize' },
)

/** Whether the server answers what belongs to the revisions without a handshake. */
async function isDualEra(connection: { call: (method: string, params?: JsonObject) => Promise<Outcome> }) {
  const outcome = await connection.call('server/discover', {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': PROBE_IDENTITY,
    },
  })
  return outcome.type === 'result'
}

export const secondInitialize = serverCheck(
  'lifecycle.server.second-initialize',
  async (probe) => {
    const connection = await probe.connect()
    const other = LEGACY.find((revision) => revision !== probe.cell.revision) ?? '2024-11-05'
    const params = { protocolVersion: other, capabilities: {}, clientInfo: PROBE_IDENTITY }
    const outcome = await connection.call('initialize', params)
    const next = await connection.tryBarrier()
    if (outcome.type === 'closed' || (next.type !== 'result' && next.type !== 'error')) {
      probe.fail({
        expected: 'a session that goes on',
        actual: describeOutcome(next),
        frame: frameOf(outcome),
      })
      return
    }
    probe.expect(outcome.type !== 'result', {
      expected: 'an error for a second initialize',
      actual: describeOutcome(outcome),
      frame: frameOf(outcome),
    })
  },
  { title: 'A session is opened once' },
)

export const quietServer = serverCheck(
  'lifecycle.server.quiet',
  async (probe) => {
    const capabilities = tourCapabilities(probe.cell.revision)
    const connection = await probe.open({ capabilities, handshake: 'initialize' })
    const outcome = await connection.handshake()
    if (outcome?.type !== 'result') probe.inconclusive('the handshake was not answered by a result')
    await connection.silence()
    await connection.tryBarrier()
    for (const { message, frame } of connection.received) {
      const { method, id } = message
      if (typeof method !== 'string' || id === undefined || method === 'ping') continue
      probe.fail({
        expected: 'no request before notifications/initialized',
        actual: method,
        member: '/method',
        frame,
      })
    }
  },
  { title: 'The server asks nothing before the client is ready' },
)

export const preparedServer = serverCheck(
  'lifecycle.errors.prepared.server',
  async (probe) => {
    const good = { protocolVersion: probe.cell.revision, capabilities: {}, clientInfo: PROBE_IDENTITY }
    const { capabilities: _, ...incomplete } = good
    const wrong: readonly (JsonObject | undefined)[] = [
      undefined,
      { ...good, protocolVersion: 3 },
      incomplete,
    ]
    for (const params of wrong) {
      const connection = await probe.open()
      const outcome = await connection.call('initialize', params)
      const what = `initialize with ${params === undefined ? 'no parameters' : shortJson(params)}`
      const isAnswered = outcome.type === 'result' || outcome.type === 'error' || outcome.type === 'http'
      probe.expect(isAnswered && (outcome.http?.status ?? 200) < 500, {
        expected: `error -32602 for ${what}`,
        actual: describeOutcome(outcome),
        frame: frameOf(outcome),
      })
      if (outcome.type === 'result') continue
      const next = await (connection.closedReason === undefined ? connection : await probe.open()).call(
        'initialize',
        good,
      )
      probe.expect(next.type === 'result', {
        expected: `a proper initialize served after ${what}`,
        actual: describeOutcome(next),
        frame: frameOf(next),
      })
    }
  },
  { title: 'A wrong initialize does no harm' },
)
