import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { ExamContent } from './exam-content.ts'
import type { Reply } from './reply.ts'

const LISTS: Readonly<
  Record<string, { member: string; of: 'tools' | 'resources' | 'templates' | 'prompts' }>
> = {
  'tools/list': { member: 'tools', of: 'tools' },
  'resources/list': { member: 'resources', of: 'resources' },
  'resources/templates/list': { member: 'resourceTemplates', of: 'templates' },
  'prompts/list': { member: 'prompts', of: 'prompts' },
}
const CACHED = new Set([...Object.keys(LISTS), 'resources/read', 'server/discover'])

/** The reply of a correct server of the revision. */
export function usualReply(request: JsonObject, content: ExamContent, revision: Revision): Reply {
  const reply = legacyReply(request, content, revision)
  if (revision < '2026-07-28' || !('result' in reply)) return reply
  const { method } = request
  const cached = typeof method === 'string' && CACHED.has(method) ? { ttlMs: 0, cacheScope: 'private' } : {}
  const meta = { [MetaKey.serverInfo]: content.serverInfo }
  return { result: { resultType: 'complete', ...cached, ...reply.result, _meta: { ...meta } } }
}

function legacyReply(request: JsonObject, content: ExamContent, revision: Revision): Reply {
  const { method } = request
  const params = isJsonObject(request['params']) ? request['params'] : {}
  const isModern = revision >= '2026-07-28'
  const { capabilities, serverInfo, instructions } = content
  const said = instructions === undefined ? {} : { instructions }
  if (typeof method === 'string' && Object.hasOwn(LISTS, method)) {
    const list = LISTS[method]
    return list === undefined ? unknown(method) : { result: { [list.member]: content[list.of] } }
  }
  switch (method) {
    case 'initialize':
      if (isModern) return unknown(method)
      return { result: { protocolVersion: revision, capabilities, serverInfo, ...said } }
    case 'server/discover':
      if (!isModern) return unknown(method)
      return { result: { supportedVersions: [revision], capabilities, ...said } }
    case 'ping':
      return isModern ? unknown(method) : { result: {} }
    case 'tools/call':
      return callReply(params, content)
    case 'resources/read':
      return { result: { contents: [{ uri: params['uri'], mimeType: 'text/plain', text: 'exam' }] } }
    case 'prompts/get':
      return { result: { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] } }
    case 'completion/complete':
      return { result: { completion: { values: ['one'] } } }
    case 'logging/setLevel':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return isModern ? unknown(method) : { result: {} }
    case 'subscriptions/listen':
      return isModern ? { silent: true } : unknown(method)
    default:
      return unknown(method)
  }
}

function callReply(params: JsonObject, { tools }: ExamContent): Reply {
  if (!tools.some(({ name }) => name === params['name']))
    return { error: { code: -32602, message: 'Unknown tool' } }
  const args = isJsonObject(params['arguments']) ? params['arguments'] : {}
  return { result: { content: [{ type: 'text', text: JSON.stringify(args) }] } }
}

function unknown(method: unknown): Reply {
  return { error: { code: -32601, message: `Method not found: ${String(method)}` } }
}
