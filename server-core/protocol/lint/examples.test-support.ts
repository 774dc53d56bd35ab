import type { JsonObject } from '../json.ts'
import { MetaKey } from '../meta-keys.ts'
import type { LintOptions } from './report.ts'
import type { RuleId } from './rules.ts'

type Said = { readonly message: unknown } | { readonly text: string }

/** A message, what is known of it, and for a bad one the place of the finding. */
export type Example = Said & Partial<LintOptions> & { readonly path?: string }

const MODERN = '2026-07-28'
const NEWEST_LEGACY = '2025-11-25'

export const ENVELOPE: JsonObject = {
  [MetaKey.protocolVersion]: MODERN,
  [MetaKey.clientCapabilities]: {},
  [MetaKey.clientInfo]: { name: 'c', version: '1' },
}
const SERVER: JsonObject = { [MetaKey.serverInfo]: { name: 's', version: '1' } }
const SUBSCRIPTION: JsonObject = { [MetaKey.subscriptionId]: 4 }

const legacyCall = (method: string, params?: JsonObject, more: JsonObject = {}): Example => ({
  message: { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }), ...more },
})
const modernCall = (method: string, params: JsonObject = {}, meta: JsonObject = ENVELOPE): Example => ({
  message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
  revision: MODERN,
})
const asked = (method: string, params: JsonObject): Example => ({
  ...legacyCall(method, params),
  direction: 'server-to-client',
})
const told = (method: string, params?: JsonObject): Example => ({
  message: { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) },
  direction: 'server-to-client',
})
const answered = (answers: string, result: JsonObject): Example => ({
  message: { jsonrpc: '2.0', id: 1, result },
  direction: 'server-to-client',
  answers,
})
const modernAnswer = (answers: string, result: JsonObject, meta: JsonObject = SERVER): Example => ({
  ...answered(answers, { resultType: 'complete', ...result, _meta: meta }),
  revision: MODERN,
})
const failed = (error: JsonObject, more: JsonObject = { id: 1 }): Example => ({
  message: { jsonrpc: '2.0', ...more, error: { message: 'no', ...error } },
  direction: 'server-to-client',
})

const at = (example: Example, path: string): Example => ({ ...example, path })
const by = (example: Example, revision: LintOptions['revision']): Example => ({ ...example, revision })

const text = { type: 'text', text: 'hello' }
const tool = (more: JsonObject): JsonObject => ({ name: 'a', inputSchema: { type: 'object' }, ...more })
const tools = (...all: readonly JsonObject[]) => answered('tools/list', { tools: all })
const modernTools = (...all: readonly JsonObject[]) =>
  modernAnswer('tools/list', { ttlMs: 0, cacheScope: 'private', tools: all })
const form = (properties: JsonObject, more: JsonObject = {}) =>
  asked('elicitation/create', { message: 'Where?', requestedSchema: { type: 'object', properties, ...more } })
const visit = (url: string) =>
  asked('elicitation/create', { mode: 'url', message: 'Look', url, elicitationId: 'e' })
const sample = (more: JsonObject) =>
  asked('sampling/createMessage', { messages: [{ role: 'user', content: text }], maxTokens: 5, ...more })
const completion = (count: number) =>
  answered('completion/complete', { completion: { values: Array.from({ length: count }, String) } })
const readText = (more: JsonObject) =>
  answered('resources/read', { contents: [{ uri: 'file:///a', text: '', ...more }] })
const weather = { type: 'tool_use', id: 'u', name: 'weather', input: {} }
const weatherResult = { type: 'tool_result', toolUseId: 'u', content: [] }
const opening = (protocolVersion: string) =>
  legacyCall('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } })

/** For every rule a message that keeps it and one that does not, and where. */
export const EXAMPLES: Readonly<Record<RuleId, { readonly good: Example; readonly bad: Example }>> = {
  'json-text': {
    good: { text: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
    bad: { text: '{"jsonrpc"', path: '' },
  },
  'line-break': {
    good: { text: '{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n', transport: 'stdio' },
    bad: { text: '{"jsonrpc":"2.0",\n"id":1,"method":"ping"}\n', transport: 'stdio', path: '' },
  },
  'duplicate-key': {
    good: { text: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"id":1}}}' },
    bad: {
      text: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[{"b":1,"\\u0062":2}]}}',
      path: '/params/a/0/b',
    },
  },
  'text-character': {
    good: { text: '{"jsonrpc":"2.0","id":"\\ud83d\\ude00","method":"ping"}' },
    bad: { text: '{"jsonrpc":"2.0","id":"\\u0000","method":"ping"}', path: '/id' },
  },
  'inexact-number': {
    good: { text: '{"jsonrpc":"2.0","id":9007199254740991,"method":"ping"}' },
    bad: {
      text: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":12345678901234567890}}',
      path: '/params/n',
    },
  },
  'message-kind': { good: legacyCall('ping'), bad: { message: { jsonrpc: '2.0', id: 1 }, path: '' } },
  'json-rpc-version': {
    good: legacyCall('ping'),
    bad: { message: { jsonrpc: '1.0', id: 1, method: 'ping' }, path: '/jsonrpc' },
  },
  'request-id': {
    good: { message: { jsonrpc: '2.0', id: 'a', method: 'ping' } },
    bad: { message: { jsonrpc: '2.0', id: null, method: 'ping' }, path: '/id' },
  },
  'notification-id': {
    good: { message: { jsonrpc: '2.0', method: 'notifications/initialized' } },
    bad: at(legacyCall('notifications/initialized'), '/id'),
  },
  'result-or-error': {
    good: answered('ping', {}),
    bad: { message: { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } }, path: '' },
  },
  params: {
    good: legacyCall('ping', {}),
    bad: { message: { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, path: '/params' },
  },
  batch: {
    good: { message: [{ jsonrpc: '2.0', id: 1, method: 'ping' }], revision: '2025-03-26' },
    bad: { message: [{ jsonrpc: '2.0', id: 1, method: 'ping' }], revision: '2025-06-18', path: '' },
  },
  'batch-content': {
    good: {
      message: [
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
      ],
      revision: '2025-03-26',
    },
    bad: { message: [], revision: '2025-03-26', path: '' },
  },
  'unknown-method': {
    good: { ...modernCall('skills/list'), extensionMethods: ['skills/list'] },
    bad: at(modernCall('ping'), '/method'),
  },
  direction: { good: asked('roots/list', {}), bad: at(legacyCall('roots/list'), '/method') },
  'client-response': {
    good: { ...answered('ping', {}), direction: 'client-to-server' },
    bad: { ...modernAnswer('roots/list', { roots: [] }), direction: 'client-to-server', path: '' },
  },
  shape: { good: tools(tool({})), bad: at(tools({ name: 'a' }), '/result/tools/0/inputSchema') },
  'other-revision': {
    good: tools(tool({ execution: { taskSupport: 'optional' } })),
    bad: at(by(tools(tool({ title: 'A' })), '2025-03-26'), '/result/tools/0/title'),
  },
  'field-name': {
    good: tools(tool({ outputschemas: 1 })),
    bad: at(tools(tool({ outputschema: {} })), '/result/tools/0/outputschema'),
  },
  'meta-key': {
    good: legacyCall('ping', { _meta: { 'com.example/a.b': 1, plain: 2, 'com.example/': 3 } }),
    bad: at(legacyCall('ping', { _meta: { '1.example/a': 1 } }), '/params/_meta/1.example~1a'),
  },
  'meta-reserved': {
    good: legacyCall('ping', { _meta: { 'com.example.mcp/a': 1 } }),
    bad: at(legacyCall('ping', { _meta: { 'com.mcp.tools/a': 1 } }), '/params/_meta/com.mcp.tools~1a'),
  },
  'trace-context': {
    good: modernCall(
      'tools/list',
      {},
      { ...ENVELOPE, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
    ),
    bad: at(modernCall('tools/list', {}, { ...ENVELOPE, traceparent: 'x' }), '/params/_meta/traceparent'),
  },
  'request-envelope': {
    good: modernCall('tools/list'),
    bad: at(
      modernCall('tools/list', {}, { [MetaKey.protocolVersion]: MODERN }),
      '/params/_meta/io.modelcontextprotocol~1clientCapabilities',
    ),
  },
  'client-info': {
    good: modernCall('server/discover'),
    bad: at(
      modernCall(
        'server/discover',
        {},
        { [MetaKey.protocolVersion]: MODERN, [MetaKey.clientCapabilities]: {} },
      ),
      '/params/_meta',
    ),
  },
  'server-info': {
    good: modernAnswer('tools/call', { content: [] }),
    bad: at(modernAnswer('tools/call', { content: [] }, {}), '/result'),
  },
  'version-claim': {
    good: modernCall('tools/list'),
    bad: at(
      modernCall('tools/list', {}, { ...ENVELOPE, [MetaKey.protocolVersion]: '2025-11-25' }),
      '/params/_meta/io.modelcontextprotocol~1protocolVersion',
    ),
  },
  'handshake-version': { good: opening('2025-11-25'), bad: at(opening(MODERN), '/params/protocolVersion') },
  'result-type': {
    good: modernAnswer('tools/call', { content: [] }),
    bad: at(by(answered('tools/call', { content: [] }), MODERN), '/result/resultType'),
  },
  'unknown-result-type': {
    good: { ...modernAnswer('tools/call', { resultType: 'task' }), extensionResultTypes: ['task'] },
    bad: at(modernAnswer('tools/call', { resultType: 'banana' }), '/result/resultType'),
  },
  'cache-hints': {
    good: modernTools(),
    bad: at(modernAnswer('tools/list', { tools: [], ttlMs: -1, cacheScope: 'public' }), '/result/ttlMs'),
  },
  'input-required': {
    good: modernAnswer('tools/call', { resultType: 'input_required', requestState: 's' }),
    bad: at(modernAnswer('tools/list', { resultType: 'input_required', requestState: 's' }), '/result'),
  },
  'input-responses': {
    good: modernCall('prompts/get', { name: 'a', requestState: 's', inputResponses: {} }),
    bad: at(modernCall('tools/list', { requestState: 's' }), '/params/requestState'),
  },
  'subscription-id': {
    good: by(told('notifications/tools/list_changed', { _meta: SUBSCRIPTION }), MODERN),
    bad: at(by(told('notifications/tools/list_changed', {}), MODERN), '/params'),
  },
  'error-code': {
    good: failed({ code: -32042, data: { elicitations: [] } }),
    bad: at(by(failed({ code: -32002 }), MODERN), '/error/code'),
  },
  'error-data': {
    good: by(failed({ code: -32022, data: { supported: [MODERN], requested: '2030-01-01' } }), MODERN),
    bad: at(by(failed({ code: -32022, data: { supported: MODERN } }), MODERN), '/error/data'),
  },
  'error-id': { good: failed({ code: -32700 }, {}), bad: at(failed({ code: -32700 }, { id: null }), '/id') },
  'missing-resource': {
    good: readText({}),
    bad: at(answered('resources/read', { contents: [] }), '/result/contents'),
  },
  'next-cursor': {
    good: answered('tools/list', { tools: [], nextCursor: '' }),
    bad: at(answered('tools/list', { tools: [], nextCursor: null }), '/result/nextCursor'),
  },
  'completion-limit': { good: completion(100), bad: at(completion(101), '/result/completion/values') },
  'structured-content': {
    good: modernAnswer('tools/call', { content: [text], structuredContent: [1] }),
    bad: at(answered('tools/call', { content: [text], structuredContent: [1] }), '/result/structuredContent'),
  },
  'structured-text': {
    good: answered('tools/call', { content: [text], structuredContent: {} }),
    bad: at(answered('tools/call', { content: [], structuredContent: {} }), '/result/content'),
  },
  'tool-name': {
    good: tools(tool({ name: 'get.a_b-c' })),
    bad: at(tools(tool({ name: 'get weather' })), '/result/tools/0/name'),
  },
  'listed-twice': {
    good: tools(tool({ name: 'a' }), tool({ name: 'A' })),
    bad: at(tools(tool({}), tool({})), '/result/tools/1'),
  },
  'schema-dialect': {
    good: tools(
      tool({ inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' } }),
    ),
    bad: at(
      tools(tool({ inputSchema: { $schema: 'x:y', type: 'object' } })),
      '/result/tools/0/inputSchema/$schema',
    ),
  },
  'schema-reference': {
    good: modernTools(
      tool({ outputSchema: { $ref: '#/$defs/a', $defs: { a: { const: { $ref: 'https://a.example' } } } } }),
    ),
    bad: at(
      modernTools(tool({ outputSchema: { anyOf: [{ $ref: 'https://a.example/s' }] } })),
      '/result/tools/0/outputSchema/anyOf/0/$ref',
    ),
  },
  'parameter-header': {
    good: modernTools(
      tool({ inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } } } }),
    ),
    bad: at(
      modernTools(
        tool({ inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } }),
      ),
      '/result/tools/0/inputSchema',
    ),
  },
  'icon-source': {
    good: tools(tool({ icons: [{ src: 'data:image/png;base64,AA==' }] })),
    bad: at(tools(tool({ icons: [{ src: 'file:///etc/passwd' }] })), '/result/tools/0/icons/0/src'),
  },
  uri: {
    good: readText({ uri: 'ui://a/b' }),
    bad: at(readText({ uri: 'no uri' }), '/result/contents/0/uri'),
  },
  base64: {
    good: answered('tools/call', { content: [{ type: 'image', data: 'AAE=', mimeType: 'image/png' }] }),
    bad: at(
      answered('tools/call', { content: [{ type: 'image', data: 'AAE', mimeType: 'image/png' }] }),
      '/result/content/0/data',
    ),
  },
  timestamp: {
    good: answered('tools/call', {
      content: [{ ...text, annotations: { lastModified: '2025-01-12T15:00:58Z' } }],
    }),
    bad: at(
      answered('tools/call', { content: [{ ...text, annotations: { lastModified: 'yesterday' } }] }),
      '/result/content/0/annotations/lastModified',
    ),
  },
  'root-uri': {
    good: { ...answered('roots/list', { roots: [{ uri: 'file:///a' }] }), direction: 'client-to-server' },
    bad: {
      ...answered('roots/list', { roots: [{ uri: 'https://a.example/' }] }),
      direction: 'client-to-server',
      path: '/result/roots/0/uri',
    },
  },
  'client-capability': {
    good: { ...form({ city: { type: 'string' } }), clientCapabilities: { elicitation: {} } },
    bad: {
      ...visit('https://a.example/'),
      clientCapabilities: { elicitation: { form: {} } },
      path: '/params',
    },
  },
  'tool-results': {
    good: sample({
      messages: [
        { role: 'assistant', content: [weather] },
        { role: 'user', content: [weatherResult] },
      ],
    }),
    bad: at(
      sample({
        messages: [
          { role: 'assistant', content: [weather] },
          { role: 'user', content: [weatherResult, text] },
        ],
      }),
      '/params/messages/1/content/1',
    ),
  },
  'sampling-context': {
    good: sample({ includeContext: 'none' }),
    bad: at(sample({ includeContext: 'allServers' }), '/params/includeContext'),
  },
  'form-fields': {
    good: form({ city: { type: 'string' } }, { required: ['city'] }),
    bad: at(form({ place: { type: 'object', properties: {} } }), '/params/requestedSchema/properties/place'),
  },
  'form-secret': {
    good: form({ tokens: { type: 'integer', title: 'Number of tokens' } }),
    bad: at(form({ apiKey: { type: 'string' } }), '/params/requestedSchema/properties/apiKey'),
  },
  'form-names': {
    good: by(form({ a: { type: 'string', enum: ['x'], enumNames: ['X'] } }), '2025-06-18'),
    bad: at(
      by(form({ a: { type: 'string', enum: ['x'], enumNames: ['X', 'Y'] } }), '2025-06-18'),
      '/params/requestedSchema/properties/a',
    ),
  },
  'elicitation-url': {
    good: visit('http://localhost:8080/consent'),
    bad: at(visit('http://a.example/consent'), '/params/url'),
  },
  'elicitation-answer': {
    good: {
      ...answered('elicitation/create', { action: 'accept', content: { a: 1.5 } }),
      direction: 'client-to-server',
    },
    bad: {
      ...answered('elicitation/create', { action: 'decline', content: {} }),
      direction: 'client-to-server',
      path: '/result/content',
    },
  },
  'progress-total': {
    good: told('notifications/progress', { progressToken: 1, progress: 2, total: 2 }),
    bad: at(told('notifications/progress', { progressToken: 1, progress: 3, total: 2 }), '/params/progress'),
  },
  'related-task': {
    good: answered('tasks/result', { content: [], _meta: { [MetaKey.relatedTask]: { taskId: 't' } } }),
    bad: at(answered('tasks/result', { content: [] }), '/result'),
  },
  deprecated: {
    good: told('notifications/message', { level: 'info', data: 1 }),
    bad: at(by(told('notifications/message', { level: 'info', data: 1 }), MODERN), '/method'),
  },
}

/** What is known of an example when it says nothing else. */
export const USUAL: LintOptions = { direction: 'client-to-server', revision: NEWEST_LEGACY }
