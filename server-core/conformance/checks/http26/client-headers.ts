import { decodeHeaderValue } from '../../../protocol/header-value.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { clientCheck, passiveCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { shortJson } from '../../probe/outcome.ts'
import { provokeResponse } from '../stdio/modern.ts'

export const noResponses = clientCheck(
  'http26.client.no-responses',
  (exam) => provokeResponse(exam, 'http26.post.no-responses'),
  { title: 'A modern client posts no responses' },
)

/** The member of the parameters that `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

function versionIn({ params }: JsonObject): unknown {
  return isJsonObject(params) && isJsonObject(params['_meta'])
    ? params['_meta'][MetaKey.protocolVersion]
    : undefined
}

export const metadataHeaders = passiveCheck(
  'http26.client.headers',
  (transcript) => {
    for (const { message, frame } of transcript.examined(
      ({ kind, frame: { http } }) => kind === 'request' && http !== undefined,
    )) {
      const version = versionIn(message)
      const { method, params } = message
      // A request of this era names its version.
      if (version === undefined || typeof method !== 'string') continue
      const headers = frame.http?.headers ?? {}
      const header = headers['mcp-protocol-version']
      transcript.expect(header === version, {
        expected: `MCP-Protocol-Version ${shortJson(version)}`,
        actual: shortJson(header),
        statement: header === undefined ? 'http26.version-header.present' : 'http26.version-header.match',
        frame,
      })
      transcript.expect(headers['mcp-method'] === method, {
        expected: `Mcp-Method ${method}`,
        actual: shortJson(headers['mcp-method']),
        statement: 'http26.headers.mcp-method',
        frame,
      })
      const named =
        Object.hasOwn(NAMED, method) && isJsonObject(params) ? params[NAMED[method] ?? ''] : undefined
      if (typeof named !== 'string') continue
      const decoded = decodeHeaderValue(headers['mcp-name'] ?? '')
      // Edge whitespace and characters outside ASCII are covered by the check of the encoding.
      const isSame = headers['mcp-name'] !== undefined && decoded.ok && decoded.value === named
      transcript.expect(isSame || !/^[\x21-\x7e]+$/.test(named), {
        expected: `Mcp-Name ${shortJson(named)}`,
        actual: shortJson(headers['mcp-name']),
        statement: 'http26.headers.mcp-name',
        frame,
      })
    }
  },
  { title: 'Headers repeat version, method and name of the body' },
)

/** The base64 form of a text, as headers carry it. */
export function marker(text: string): string {
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Whether a text may be sent in a header without encoding. */
export function isPlain(text: string): boolean {
  const isMarked = text.startsWith('=?base64?') && text.endsWith('?=')
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !isMarked
}

const NAMES = ['ä', ' x', 'a\nb', '=?base64?eA==?=']
const URIS = ['exam://ä', 'exam://=?base64?eA==?=']

export const nameEncoding = clientCheck(
  'http26.client.name-encoding',
  async (exam) => {
    const { content } = exam
    content.tools = NAMES.map((name) => ({ name, inputSchema: { type: 'object' } }))
    content.prompts = NAMES.map((name) => ({ name }))
    content.resources = URIS.map((uri) => ({ uri, name: uri }))
    await exam.connect()
    for (const list of ['tools', 'resources', 'prompts'] as const) await exam.step({ type: 'list', list })
    for (const name of NAMES) {
      await exam.step({ type: 'call', tool: name })
      await exam.step({ type: 'get', prompt: name })
    }
    for (const uri of URIS) await exam.step({ type: 'read', uri })
    let judged = 0
    for (const { json, headers, frame } of exam.exchanges) {
      if (!isJsonObject(json) || typeof json['method'] !== 'string' || !isJsonObject(json['params'])) continue
      const { method } = json
      const name = Object.hasOwn(NAMED, method) ? json['params'][NAMED[method] ?? ''] : undefined
      if (typeof name !== 'string') continue
      judged += 1
      const expected = isPlain(name) ? name : marker(name)
      exam.expect(headers['mcp-name'] === expected, {
        expected: `Mcp-Name ${shortJson(expected)} for ${shortJson(name)}`,
        actual: shortJson(headers['mcp-name']),
        statement: name.startsWith('=?') ? 'http26.param.sentinel-escaped' : 'http26.headers.name-base64',
        frame,
      })
    }
    if (judged === 0) exam.inconclusive('the client called nothing by these names')
  },
  { title: 'Names outside plain ASCII are sent as base64' },
)

/** A header name in odd case. */
function odd(name: string): string {
  return name.toLowerCase() === 'mcp-session-id' ? 'MCP-SESSION-ID' : name.replace(/-type$/, '-TYPE')
}

export const headerCase = clientCheck(
  'http26.client.header-case',
  async (exam) => {
    exam.server.renameHeaders(odd)
    const outcome = await exam.ending(exam.run())
    exam.expect(outcome.type === 'done', {
      expected: 'work although header names come in odd case',
      actual: describeEnding(outcome),
      statement: 'http26.headers.names-case-insensitive',
      frame: exam.exchanges.at(-1)?.frame,
    })
    const id = exam.connections[0]?.sessionId
    if (id === undefined) return
    // Before it there is no session: a client of both eras may have asked for the other one.
    const begun = exam.exchanges.findIndex(
      ({ json }) => isJsonObject(json) && json['method'] === 'initialize',
    )
    const missing = exam.exchanges.slice(begun + 1).find(({ headers }) => headers['mcp-session-id'] !== id)
    exam.expect(missing === undefined, {
      expected: 'the session id although its header came in odd case',
      actual: shortJson(missing?.headers['mcp-session-id']),
      statement: 'http.session.client-repeats',
      frame: missing?.frame,
    })
  },
  { title: 'Header names of the server are read in any case' },
)
