import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { serverCheck } from '../../check.ts'
import { PROBE_IDENTITY, type ProbeConnection } from '../../probe/connection.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'

const LEGACY = '2025-11-25'

/** Whether the server takes the older handshake too, on a connection of its own. */
async function isDualEra(probe: ServerProbe): Promise<boolean> {
  const connection = await probe.open({ handshake: 'none' })
  return (await initialize(connection)).type === 'result'
}

/** The handshake of an older revision, whatever the revision of the cell. */
function initialize(connection: ProbeConnection) {
  const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo: PROBE_IDENTITY }
  return connection.exchange(
    { jsonrpc: '2.0', id: 'patchbay-initialize', method: 'initialize', params },
    { headers: LEGACY_HEADERS },
  )
}

const LEGACY_HEADERS = { 'mcp-protocol-version': null, 'mcp-method': null }

function textList(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as unknown[]).filter((each) => typeof each === 'string') : []
}

export const discover = serverCheck(
  'versioning.server.discover',
  async (probe) => {
    const connection = await probe.connect()
    const results: JsonObject[] = []
    for (let count = 0; count < 3; count += 1) {
      const outcome = await connection.call('server/discover')
      const result = outcome.type === 'result' ? outcome.result : undefined
      const missing = ['supportedVersions', 'capabilities', 'ttlMs', 'cacheScope'].filter(
        (member) => result?.[member] === undefined,
      )
      const isNamed = textList(result?.['supportedVersions']).includes(probe.cell.revision)
      probe.expect(result !== undefined && missing.length === 0 && isNamed, {
        expected: `supportedVersions with ${probe.cell.revision}, capabilities and how long to keep them`,
        actual:
          missing.length > 0 && result !== undefined ? `no ${missing.join(', ')}` : describeOutcome(outcome),
        member: '/result/supportedVersions',
        frame: outcome.frame ?? outcome.sent,
      })
      if (result !== undefined) results.push(result)
    }
    const [first, ...others] = results
    const other = others.find((each) => !isDeepStrictEqual(each, first))
    probe.expect(other === undefined, {
      expected: 'the same answer each time',
      actual: shortJson(other),
      frame: connection.received.slice(-3).map(({ frame }) => frame),
    })
  },
  { title: 'server/discover names versions and capabilities' },
)

export const discoverOptional = serverCheck(
  'versioning.server.discover-optional',
  async (probe) => {
    const list = ['tools', 'resources', 'prompts'].find((each) => probe.declares(each))
    if (list === undefined) return probe.notApplicable('the server declares no list')
    const connection = await probe.connect()
    const outcome = await connection.call(`${list}/list`)
    probe.expect(outcome.type === 'result', {
      expected: `${list}/list served as the first request`,
      actual: describeOutcome(outcome),
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'A request is served without a discover before it' },
)

export const unsupported = serverCheck(
  'versioning.server.unsupported',
  async (probe) => {
    const isDual = await isDualEra(probe)
    const connection = await probe.connect()
    const discovered = textList(probe.server.opening['supportedVersions'])
    for (const version of ['1900-01-01', '2031-01-01', ...(isDual ? [] : [LEGACY])]) {
      const outcome = await connection.call('tools/list', undefined, {
        envelope: { [MetaKey.protocolVersion]: version },
      })
      const frame = outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent]
      const isRefused = outcome.type === 'error' && outcome.code === -32022
      probe.expect(isRefused, {
        expected: `error -32022 for ${version}`,
        actual: describeOutcome(outcome),
        member: '/error/code',
        statement: outcome.type === 'error' ? 'versioning.unsupported-data' : 'versioning.unsupported-error',
        frame,
      })
      if (outcome.type !== 'error' || !isRefused) continue
      const data = isJsonObject(outcome.data) ? outcome.data : {}
      const supported = textList(data['supported'])
      probe.expect(supported.length > 0 && data['requested'] === version, {
        expected: 'data with the versions supported and the one requested',
        actual: shortJson(outcome.data),
        member: '/error/data',
        statement: 'versioning.unsupported-data',
        frame,
      })
      const unknown = supported.find((each) => !discovered.includes(each))
      if (unknown !== undefined && discovered.length > 0 && !isDual) {
        probe.warn({
          expected: 'versions that server/discover lists',
          actual: unknown,
          member: '/error/data/supported',
          statement: 'versioning.unsupported-error',
          frame,
        })
      }
    }
  },
  { title: 'A version that is not spoken is refused with -32022' },
)

const FEATURES = [
  { capability: 'tools', method: 'tools/list', member: 'tools', statement: 'tools.capability' },
  {
    capability: 'prompts',
    method: 'prompts/list',
    member: 'prompts',
    statement: 'prompts.capability-discover',
  },
  {
    capability: 'resources',
    method: 'resources/list',
    member: 'resources',
    statement: 'resources.capability',
  },
  {
    capability: 'resources',
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    statement: 'resources.capability',
  },
] as const

export const capabilitiesTruthful = serverCheck(
  'versioning.server.capabilities-truthful',
  async (probe) => {
    const connection = await probe.connect()
    const opening = probe.isModern ? await connection.request('server/discover') : connection.initialized
    const capabilities = isJsonObject(opening?.['capabilities']) ? opening['capabilities'] : {}
    for (const { capability, method, member, statement } of FEATURES) {
      const outcome = await connection.call(method)
      const isDeclared = capabilities[capability] !== undefined
      const frame = outcome.frame ?? outcome.sent
      if (isDeclared && outcome.type !== 'result') {
        const input = {
          expected: `${method} served as declared`,
          actual: describeOutcome(outcome),
          statement: 'discover.capabilities-truthful',
          frame,
        }
        if (method === 'resources/templates/list') probe.inform(input)
        else probe.fail(input)
      } else if (!isDeclared && outcome.type === 'result') {
        const items = outcome.result[member]
        const isEmpty = !Array.isArray(items) || items.length === 0
        const input = {
          expected: `${method} refused with -32601, as ${capability} is not declared`,
          actual: describeOutcome(outcome),
          statement,
          frame,
        }
        if (isEmpty) probe.inform(input)
        else probe.fail(input)
      }
    }
  },
  { title: 'What is declared works, and nothing else' },
)

export const namesVersions = serverCheck(
  'versioning.server.names-versions',
  async (probe) => {
    const connection = await probe.open({ handshake: 'none' })
    const outcome = await initialize(connection)
    if (outcome.type === 'result') probe.inconclusive('the server serves the older revisions too')
    const text = outcome.type === 'error' ? JSON.stringify([outcome.text, outcome.data]) : ''
    if (text.includes(probe.cell.revision)) return
    probe.warn({
      expected: 'an error that names the supported versions',
      actual: describeOutcome(outcome),
      member: '/error',
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'A modern-only server names its versions to an older client' },
)

export const dual = serverCheck(
  'versioning.server.dual',
  async (probe) => {
    if (!(await isDualEra(probe))) probe.inconclusive('the server serves one era alone')
    const connection = await probe.open({ handshake: 'none' })
    const opening = await initialize(connection)
    if (opening.type !== 'result') return probe.inconclusive('the handshake was refused')
    const session = opening.http?.headers['mcp-session-id'] ?? null
    const headers = { ...LEGACY_HEADERS, 'mcp-session-id': session, 'mcp-protocol-version': LEGACY }
    await connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, { headers })
    for (let count = 0; count < 3; count += 1) {
      const modern = await connection.call(probe.declares('tools') ? 'tools/list' : 'server/discover')
      const isModernResult = modern.type === 'result' && modern.result['resultType'] === 'complete'
      const legacy = await connection.exchange(
        { jsonrpc: '2.0', id: `legacy-${count}`, method: 'ping' },
        { headers },
      )
      const isSeparate = connection.transport === 'http'
      // On one stream the handshake may settle the era; then modern requests are refused, and the session lives.
      probe.expect(isModernResult || (!isSeparate && modern.type === 'error'), {
        expected: 'modern requests served beside a session',
        actual: describeOutcome(modern),
        frame: modern.frame ?? modern.sent,
      })
      probe.expect(legacy.type === 'result' && legacy.result['resultType'] === undefined, {
        expected: 'the session served beside modern requests, without their members',
        actual: describeOutcome(legacy),
        frame: legacy.frame ?? legacy.sent,
      })
    }
  },
  { title: 'Both eras are served side by side' },
)

const EXTENSION_METHODS = ['tasks/get', 'tasks/cancel', 'tasks/update']

export const extensionFallbackServer = serverCheck(
  'versioning.extension-fallback',
  async (probe) => {
    const connection = await probe.connect()
    const tool = probe.findFixture('task') ?? probe.findFixture('simple')
    if (tool === undefined) return probe.inconclusive('no tool was found that may be called')
    const outcome = await connection.call('tools/call', { name: tool.name, arguments: tool.arguments })
    const kind = outcome.type === 'result' ? outcome.result['resultType'] : 'complete'
    probe.expect(kind === 'complete' || kind === 'input_required', {
      expected: 'a core result for a request that declares no extension',
      actual: shortJson(kind),
      member: '/result/resultType',
      statement: 'base.resulttype.extension-values',
      frame: outcome.frame ?? outcome.sent,
    })
    for (const method of EXTENSION_METHODS) {
      const answer = await connection.call(method, { taskId: 'patchbay-none' })
      probe.expect(answer.type === 'error', {
        expected: `${method} refused where its extension is not declared`,
        actual: describeOutcome(answer),
        statement: 'versioning.extension-fallback',
        frame: answer.frame ?? answer.sent,
      })
    }
  },
  { title: 'Without an extension of the client, the core is served' },
)
