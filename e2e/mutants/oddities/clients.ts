import type {
  DrivenClient,
  ExamList,
  StepOutcome,
} from '../../../server-core/conformance/exam/client-driver.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import { paramsOf } from '../areas/changes-message.ts'
import type { ChangeMessage, ProxyResponse } from '../mutant.ts'
import { LEGACY, MODERN, type Oddity } from './oddity.ts'

/** Lists in another order, one of them twice, and nothing else. */
function oddOrder(client: DrivenClient): DrivenClient {
  const { step, process } = client
  if (step === undefined) return client
  const basic = async (): Promise<StepOutcome> => {
    const lists: readonly ExamList[] = ['prompts', 'tools', 'tools', 'resources']
    const connected = await step({ type: 'connect' })
    if (connected.type === 'failed') return connected
    for (const list of lists) {
      const outcome = await step({ type: 'list', list })
      if (outcome.type === 'failed') return outcome
    }
    return step({ type: 'close' })
  }
  return {
    basic,
    output: () => client.output(),
    close: () => client.close(),
    step,
    ...(process !== undefined && { process }),
  }
}

const IGNORED =
  /^notifications\/(progress|message|(tools|prompts|resources)\/list_changed|resources\/updated)$/

const refusing: ChangeMessage = (message, { answers }) => {
  const method = answers?.['method']
  if (method === 'elicitation/create' && 'result' in message)
    return { jsonrpc: '2.0', id: message['id'], result: { action: 'cancel' } }
  if (method !== 'sampling/createMessage') return message
  return { jsonrpc: '2.0', id: message['id'], error: { code: -1, message: 'The user refused' } }
}

const withoutClientInfo: ChangeMessage = (message) => {
  const params = paramsOf(message)
  if (!isJsonObject(params['_meta'])) return message
  const { [MetaKey.clientInfo]: _, ...meta } = params['_meta']
  return { ...message, params: { ...params, _meta: meta } }
}

const empty = (status: number): ProxyResponse => ({ status, headers: {}, body: Buffer.alloc(0) })

function messageOf(body: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(body.toString())
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** What clients may do. */
export const CLIENT_ODDITIES: readonly Oddity[] = [
  { id: 'o.order-of-lists', row: 34, side: 'client', change: { driver: oddOrder } },
  {
    id: 'o.no-capabilities',
    row: 35,
    side: 'client',
    change: { connect: ({ responders: _, declaration: _other, ...options }) => options },
  },
  { id: 'o.probes-first', row: 36, side: 'client', change: {} },
  {
    id: 'o.ignores-notices',
    row: 37,
    side: 'client',
    change: {
      incoming: (message) => (IGNORED.test(String(message['method'])) ? undefined : message),
    },
  },
  {
    id: 'o.no-get-no-delete',
    row: 38,
    side: 'client',
    revisions: LEGACY,
    transports: ['http'],
    change: {
      http: (request, next) => {
        if (request.path.startsWith('/.well-known')) return next(request)
        return request.method === 'DELETE' ? empty(200) : next(request)
      },
    },
    mayWarn: { 'http.client.delete': 'a client should end its session' },
  },
  {
    id: 'o.refuses-questions',
    row: 39,
    side: 'client',
    revisions: LEGACY,
    change: { outgoing: refusing },
  },
  {
    id: 'o.version-on-initialize',
    row: 40,
    side: 'client',
    revisions: ['2025-06-18', '2025-11-25'],
    transports: ['http'],
    change: {
      http: (request, next) => {
        const { protocolVersion } = paramsOf(messageOf(request.body))
        if (typeof protocolVersion !== 'string') return next(request)
        return next({ ...request, headers: { ...request.headers, 'mcp-protocol-version': protocolVersion } })
      },
    },
  },
  { id: 'o.caches-nothing', row: 41, side: 'client', revisions: MODERN, change: {} },
  { id: 'o.retries-at-once', row: 42, side: 'client', revisions: MODERN, change: {} },
  {
    id: 'o.base64-header',
    row: 43,
    side: 'client',
    revisions: MODERN,
    transports: ['http'],
    change: {
      http: (request, next) => {
        const name = request.headers['mcp-name']
        if (name === undefined || name.startsWith('=?')) return next(request)
        const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`
        return next({ ...request, headers: { ...request.headers, 'mcp-name': encoded } })
      },
    },
  },
  {
    id: 'o.no-client-info',
    row: 44,
    side: 'client',
    revisions: MODERN,
    change: { outgoing: withoutClientInfo },
    mayWarn: { 'meta.client.client-info': 'a client should say what it is' },
  },
  { id: 'o.unknown-content', row: 45, side: 'client', change: {} },
]
