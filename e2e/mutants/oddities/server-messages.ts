import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { changeResult, paramsOf } from '../areas/changes-message.ts'
import { Messages, type ChangeMessage } from '../mutant.ts'
import { LEGACY, type Oddity } from './oddity.ts'

const NOTE = 'com.example/note'

/** Members that no revision knows, in every place that is open. */
const extraMembers: ChangeMessage = (message, { answers }) => {
  const { result } = message
  if (!isJsonObject(result)) return message
  const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
  const capabilities = isJsonObject(result['capabilities'])
    ? {
        capabilities: {
          ...result['capabilities'],
          patchbayUnknown: {},
          experimental: { 'com.example/x': {} },
        },
      }
    : {}
  const noted = answers?.['method'] === 'ping' ? {} : { patchbayExtra: [1, null] }
  return { ...message, result: { ...result, ...noted, ...capabilities, _meta: { ...meta, [NOTE]: 'odd' } } }
}

const MEMBERS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'prompts/list': 'prompts',
}
const START = 'patchbay-odd-start'

/** The first page of each list is empty, and has a next cursor. */
const emptyFirstPage: ChangeMessage = (message, context) => {
  const member = MEMBERS[String(context.answers?.['method'])]
  const { result } = message
  if (member === undefined || !isJsonObject(result)) return message
  const { cursor } = paramsOf(context.answers)
  if (cursor !== undefined) return message
  return { ...message, result: { ...result, [member]: [], nextCursor: START } }
}
const fromStart: ChangeMessage = (message) => {
  const { cursor, ...rest } = paramsOf(message)
  return cursor === START ? { ...message, params: rest } : message
}

const foreignErrors: ChangeMessage = (message) => {
  const { error } = message
  if (!isJsonObject(error) || error['data'] !== undefined) return message
  return { ...message, error: { ...error, message: 'Ungültige Anfrage – 無効な要求', data: [1, 'x', null] } }
}

const ODD_TOOL = 'outil é/1 (très long nom)'
const nameOf = (from: string, to: string, name: unknown) => (name === from ? to : name)
const renamedTool: ChangeMessage = changeResult('tools/list', (result) => ({
  ...result,
  tools: (Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : []).map((tool) =>
    isJsonObject(tool) ? { ...tool, name: nameOf('test_simple_text', ODD_TOOL, tool['name']) } : tool,
  ),
}))
const calledByOddName: ChangeMessage = (message) => {
  const params = paramsOf(message)
  if (message['method'] !== 'tools/call') return message
  return { ...message, params: { ...params, name: nameOf(ODD_TOOL, 'test_simple_text', params['name']) } }
}

/** A number as JSON with a fraction of zero, a text with escapes, members in reverse. */
function oddJson(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `${value}.0` : JSON.stringify(value)
  if (typeof value === 'string') return escaped(value)
  if (Array.isArray(value)) return `[${(value as unknown[]).map(oddJson).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{ ${members
    .toReversed()
    .map(([key, each]) => `${escaped(key)} : ${oddJson(each)}`)
    .join(' , ')} }`
}

function escaped(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const invisible = (message: JsonObject): Messages =>
  new Messages(
    message,
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' },
  )

/** What servers of every revision may do. */
export const SERVER_MESSAGE_ODDITIES: readonly Oddity[] = [
  { id: 'o.extra-members', row: 1, side: 'server', change: { outgoing: extraMembers } },
  {
    id: 'o.empty-page',
    row: 2,
    side: 'server',
    change: { outgoing: emptyFirstPage, incoming: fromStart },
  },
  { id: 'o.error-texts', row: 3, side: 'server', change: { outgoing: foreignErrors } },
  {
    id: 'o.tool-names',
    row: 4,
    side: 'server',
    revisions: ['2024-11-05', '2025-03-26', '2025-06-18'],
    change: { outgoing: renamedTool, incoming: calledByOddName },
  },
  {
    id: 'o.no-progress',
    row: 5,
    side: 'server',
    change: {
      outgoing: (message) => (message['method'] === 'notifications/progress' ? undefined : message),
    },
  },
  {
    id: 'o.no-totals',
    row: 5,
    side: 'server',
    change: {
      outgoing: (message) => {
        if (message['method'] !== 'notifications/progress') return message
        const { total: _, ...params } = paramsOf(message)
        return { ...message, params }
      },
    },
  },
  {
    id: 'o.answered-although-cancelled',
    row: 6,
    side: 'server',
    revisions: LEGACY,
    change: {
      incoming: (message) => (message['method'] === 'notifications/cancelled' ? undefined : message),
    },
    mayWarn: {
      'cancel.server.stops-work': 'a cancelled request should end',
      'cancel.server.no-answer': 'a cancelled request should not be answered',
    },
  },
  {
    id: 'o.invisible-changes',
    row: 7,
    side: 'server',
    revisions: LEGACY,
    transports: ['stdio', 'websocket'],
    change: {
      outgoing: (message, { answers }) =>
        answers?.['method'] === 'tools/list' ? invisible(message) : message,
    },
  },
  {
    id: 'o.error-stream',
    row: 8,
    side: 'server',
    transports: ['stdio'],
    change: {
      process: ({ stderr }) => {
        for (let line = 0; line < 200; line += 1) stderr.write(`ERROR: only a word, line ${line}\n`)
      },
    },
  },
  {
    id: 'o.blank-lines',
    row: 9,
    side: 'server',
    transports: ['stdio'],
    change: {
      outgoingBytes: (bytes) => Buffer.concat([Buffer.from('\n\r\n'), bytes, Buffer.from('\r')]),
      outgoing: (message) => ({ ...message }),
    },
  },
  {
    id: 'o.json-forms',
    row: 10,
    side: 'server',
    change: {
      outgoingBytes: (bytes, message) => Buffer.from(oddJson(message ?? JSON.parse(bytes.toString()))),
    },
  },
  {
    id: 'o.errors-without-id',
    row: 15,
    side: 'server',
    change: {
      outgoing: (message) => {
        const { id, ...rest } = message
        return id === null && isJsonObject(message['error']) ? rest : message
      },
    },
  },
]
