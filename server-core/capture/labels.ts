import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { visibleLine } from '../protocol/visible-text.ts'

const LIMIT = 200

/** Text of a peer as a label: one safe line of at most 200 characters. */
export function safeLabel(text: string): string {
  return visibleLine(text, LIMIT)
}

/** What a request or notification is about, from its method and parameters. Never throws on any parameters. */
export function labelOf(method: string, params: JsonObject | undefined): string {
  if (params === undefined) return ''
  const describe = describers.get(method)
  return safeLabel(describe === undefined ? nameOf(params) : describe(params))
}

/** The words a client's answer adds to the label of the server's question (“accept”), or none. */
export function answerWord(result: unknown): string {
  return isJsonObject(result) ? safeLabel(text(result['action'])) : ''
}

/** The first words of a tool's error result. */
export function toolErrorText(result: JsonObject): string {
  return safeLabel(contentText(result['content']))
}

const describers: ReadonlyMap<string, (params: JsonObject) => string> = new Map([
  ['initialize', (params) => join(named(params['clientInfo']), text(params['protocolVersion']))],
  ['tools/list', cursor],
  ['resources/list', cursor],
  ['resources/templates/list', cursor],
  ['prompts/list', cursor],
  ['logging/setLevel', (params) => text(params['level'])],
  ['completion/complete', completion],
  ['sampling/createMessage', lastMessage],
  ['elicitation/create', (params) => quoted(text(params['message']))],
  ['subscriptions/listen', listened],
  ['notifications/subscriptions/acknowledged', listened],
  ['notifications/progress', progressed],
  ['notifications/message', logged],
  ['notifications/cancelled', (params) => text(params['reason'])],
])

function nameOf(params: JsonObject): string {
  for (const member of ['name', 'uri', 'taskId', 'elicitationId']) {
    const value = params[member]
    if (typeof value === 'string') return value
  }
  return ''
}

function cursor(params: JsonObject): string {
  const value = params['cursor']
  return typeof value === 'string' ? `cursor ${quoted(value)}` : ''
}

function completion(params: JsonObject): string {
  const ref = params['ref']
  const argument = params['argument']
  const target = isJsonObject(ref) ? nameOf(ref) : ''
  if (!isJsonObject(argument)) return target
  return join(target, `${text(argument['name'])}=${text(argument['value'])}`)
}

function lastMessage(params: JsonObject): string {
  const messages = params['messages']
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined
  return isJsonObject(last) ? quoted(contentText(last['content'])) : ''
}

function listened(params: JsonObject): string {
  const asked = params['notifications']
  if (!isJsonObject(asked)) return ''
  return Object.entries(asked)
    .filter(([, value]) => value !== false && value !== null)
    .map(([name, value]) => (Array.isArray(value) ? `${name} (${value.length})` : name))
    .join(', ')
}

function progressed(params: JsonObject): string {
  const progress = text(params['progress'])
  const amount = params['total'] === undefined ? progress : `${progress} of ${text(params['total'])}`
  return join(amount, quoted(text(params['message'])))
}

function logged(params: JsonObject): string {
  const data = params['data']
  const line = typeof data === 'string' ? data : briefly(data)
  const source = join(text(params['level']), text(params['logger']))
  return source === '' ? line : `${source}: ${line}`
}

/** A few words of a structured value. Looks at its first members only, however large it is. */
function briefly(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`
  if (!isJsonObject(value)) return text(value)
  const message = value['message'] ?? value['msg'] ?? value['text']
  if (typeof message === 'string') return message
  return Object.entries(value)
    .slice(0, 8)
    .map(([name, member]) => `${name}=${Array.isArray(member) ? `[${member.length}]` : text(member, '{…}')}`)
    .join(' ')
}

function contentText(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  const block = blocks.find((each) => isJsonObject(each) && typeof each['text'] === 'string')
  if (isJsonObject(block)) return text(block['text'])
  return blocks.map((each) => (isJsonObject(each) ? text(each['type']) : '')).join(' ')
}

function named(info: unknown): string {
  return isJsonObject(info) ? join(text(info['name']), text(info['version'])) : ''
}

function text(value: unknown, otherwise = ''): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : otherwise
}

function quoted(words: string): string {
  return words === '' ? '' : `“${words}”`
}

function join(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ')
}
