import { serverCheck } from '../../check.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import type { HttpConnection } from '../../probe/http-connection.ts'
import { describeOutcome, type Outcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { headOf } from '../http/http-probing.ts'
import { PROBE_IDENTITY } from '../../probe/connection.ts'

const MISMATCH = -32020
/** A tool that no server has, so that no tool runs whatever the server thinks of the headers. */
const NO_TOOL = 'patchbay_unknown_tool2'
type Headers = Readonly<Record<string, string | null>>

/** Whether the server takes the handshake of the revisions before 2026-07-28 as well. */
export async function isDualEra(probe: ServerProbe, connection: HttpConnection): Promise<boolean> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: PROBE_IDENTITY }
  const exchange = connection.http({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'patchbay-legacy', method: 'initialize', params }),
  })
  const head = await headOf(probe, exchange)
  return head?.status === 200
}

function callNoTool(connection: HttpConnection, headers: Headers): Promise<Outcome> {
  return connection.call('tools/call', { name: NO_TOOL, arguments: {} }, { headers })
}

function isRefusal(outcome: Outcome, codes: readonly number[] = [MISMATCH]): boolean {
  return outcome.type === 'error' && outcome.http?.status === 400 && codes.includes(Number(outcome.code))
}

/** Reports anything but 400 with a certain code. */
function expectRefusal(
  probe: ServerProbe,
  outcome: Outcome,
  expected: string,
  statements: { readonly served: string; readonly code: string },
  codes?: readonly number[],
): void {
  const isRefused = outcome.type === 'error' && outcome.http?.status === 400
  probe.expect(isRefusal(outcome, codes), {
    expected,
    actual: describeOutcome(outcome),
    member: '/error/code',
    statement: isRefused ? statements.code : statements.served,
    frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
  })
}

export const versionMismatch = serverCheck(
  'http26.server.version-mismatch',
  async (probe) => {
    const connection = await probe.connectHttp()
    const statements = { served: 'http26.version-header.mismatch-400', code: 'http26.headers.mismatch-code' }
    const inBody = await connection.call('tools/list', undefined, {
      envelope: { [MetaKey.protocolVersion]: 'v999' },
      headers: { 'mcp-protocol-version': probe.cell.revision },
    })
    expectRefusal(probe, inBody, '400 with -32020 for another version in _meta', statements)
    const inHeader = await connection.call('tools/list', undefined, {
      headers: { 'mcp-protocol-version': 'v999' },
    })
    const expected = '400 with -32020 for another version in the header'
    expectRefusal(probe, inHeader, expected, statements, [MISMATCH, -32022])
  },
  { title: 'The version header is compared with _meta' },
)

export const versionUnsupported = serverCheck(
  'http26.server.version-unsupported',
  async (probe) => {
    const connection = await probe.connectHttp()
    const isDual = await isDualEra(probe, connection)
    for (const version of isDual ? ['1900-01-01'] : ['1900-01-01', '2024-11-05']) {
      const outcome = await connection.call('tools/list', undefined, {
        envelope: { [MetaKey.protocolVersion]: version },
      })
      const data = outcome.type === 'error' ? outcome.data : undefined
      const hasData = typeof data === 'object' && data !== null && 'supported' in data && 'requested' in data
      probe.expect(isRefusal(outcome, [-32022]) && hasData, {
        expected: '400 with -32022 and the versions supported and requested',
        actual: describeOutcome(outcome),
        member: '/error',
        frame: outcome.frame ?? outcome.sent,
      })
    }
  },
  { title: 'A version that is not supported is refused with 400' },
)

const REMOVED = [
  'patchbay/none',
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/list',
]

export const methodUnknown = serverCheck(
  'http26.server.method-404',
  async (probe) => {
    const connection = await probe.connectHttp()
    for (const method of REMOVED) {
      const outcome = await connection.call(method, {})
      const isRefused = outcome.type === 'error' && outcome.code === -32601
      probe.expect(isRefused && outcome.http?.status === 404, {
        expected: `404 with -32601 for ${method}`,
        actual: describeOutcome(outcome),
        member: '/error/code',
        statement:
          isRefused || method === 'patchbay/none'
            ? 'http26.method.unknown-404'
            : 'versioning.removed-methods',
        frame: outcome.frame ?? outcome.sent,
      })
    }
  },
  { title: 'Unknown and removed methods are refused with 404 and -32601' },
)

export const versionAbsent = serverCheck(
  'http26.server.version-absent',
  async (probe) => {
    const connection = await probe.connectHttp()
    const isDual = await isDualEra(probe, connection)
    const noVersion = await connection.call('tools/list', undefined, {
      headers: { 'mcp-protocol-version': null },
    })
    const isModernAnswer = noVersion.type === 'result' && 'resultType' in noVersion.result
    if (!isDual || isModernAnswer) {
      expectRefusal(probe, noVersion, '400 with -32020 without a version header', {
        served: 'http26.version-header.absent-reject',
        code: 'http26.version-header.absent-reject',
      })
    }
    const noMethod = await connection.call('tools/list', undefined, { headers: { 'mcp-method': null } })
    expectRefusal(probe, noMethod, '400 with -32020 without Mcp-Method', {
      served: 'http26.headers.missing-reject',
      code: 'http26.headers.missing-reject',
    })
  },
  { title: 'Required headers may not be missing' },
)

const WRONG_HEADERS: readonly {
  readonly name: string
  readonly headers: Headers
  readonly statement: string
}[] = [
  {
    name: 'another Mcp-Method',
    headers: { 'mcp-method': 'tools/list' },
    statement: 'http26.headers.mismatch-reject',
  },
  {
    name: 'Mcp-Method in upper case',
    headers: { 'mcp-method': 'TOOLS/CALL' },
    statement: 'http26.headers.values-case-sensitive',
  },
  { name: 'another Mcp-Name', headers: { 'mcp-name': 'other' }, statement: 'http26.headers.mismatch-reject' },
  { name: 'no Mcp-Name', headers: { 'mcp-name': null }, statement: 'http26.headers.missing-reject' },
  {
    name: 'Mcp-Name in upper case',
    headers: { 'mcp-name': NO_TOOL.toUpperCase() },
    statement: 'http26.headers.values-case-sensitive',
  },
]

export const headerMismatch = serverCheck(
  'http26.server.header-mismatch',
  async (probe) => {
    const connection = await probe.connectHttp()
    for (const { name, headers, statement } of WRONG_HEADERS) {
      const outcome = await callNoTool(connection, headers)
      expectRefusal(probe, outcome, `400 with -32020 for ${name}`, {
        served: statement,
        code: 'http26.headers.mismatch-code',
      })
    }
  },
  { title: 'Headers that differ from the body are refused' },
)

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

export const headerTolerance = serverCheck(
  'http26.server.header-tolerance',
  async (probe) => {
    const connection = await probe.connectHttp()
    const version = probe.cell.revision
    const cases = [
      {
        name: 'header names in odd case',
        headers: {
          'mcp-protocol-version': null,
          'mcp-method': null,
          'mcp-name': null,
          'MCP-protocol-VERSION': version,
          'mCP-Method': 'tools/call',
          'MCP-NAME': NO_TOOL,
        },
        statement: 'http26.headers.names-case-insensitive',
      },
      {
        name: 'spaces around Mcp-Name',
        headers: { 'mcp-name': `  ${NO_TOOL}  ` },
        statement: 'http26.headers.decode-before-compare',
      },
      {
        name: 'Mcp-Name in base64',
        headers: { 'mcp-name': `=?base64?${base64(NO_TOOL)}?=` },
        statement: 'http26.headers.decode-before-compare',
      },
    ]
    for (const { name, headers, statement } of cases) {
      const outcome = await callNoTool(connection, headers)
      const isTaken = outcome.type === 'result' || (outcome.type === 'error' && outcome.code !== MISMATCH)
      probe.expect(isTaken, {
        expected: `${name} taken, and the tool found missing`,
        actual: describeOutcome(outcome),
        statement,
        frame: outcome.frame ?? outcome.sent,
      })
    }
  },
  { title: 'Header names in any case, and encoded values, are taken' },
)

const BAD_SENTINELS = [
  { name: 'invalid base64', value: '=?base64?%%%?=' },
  {
    name: 'base64 without padding',
    value: `=?base64?${base64(NO_TOOL).replace(/=+$/, '')}?=`,
    isLenient: true,
  },
  { name: 'base64 of invalid UTF-8', value: '=?base64?/////w==?=' },
  { name: 'the marker in upper case', value: `=?BASE64?${base64(NO_TOOL)}?=` },
]

export const badSentinel = serverCheck(
  'http26.server.bad-sentinel',
  async (probe) => {
    const connection = await probe.connectHttp()
    for (const { name, value, isLenient } of BAD_SENTINELS) {
      const outcome = await callNoTool(connection, { 'mcp-name': value })
      if (isRefusal(outcome)) continue
      const isServed = (outcome.http?.status ?? 500) < 500
      probe.fail({
        expected: `400 with -32020 for ${name}`,
        actual: describeOutcome(outcome),
        statement: isServed ? 'http26.headers.decode-before-compare' : 'http26.headers.mismatch-code',
        frame: outcome.frame ?? outcome.sent,
        ...(isLenient === true && isServed && { severity: 'warning' }),
      })
    }
  },
  { title: 'Values that cannot be decoded are refused' },
)
