import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { DrivenClient } from '../../../server-core/conformance/exam/client-driver.ts'
import type { AreaProof } from '../area-proof.ts'
import { sessionIsToken } from './session-faults.ts'
import type { ChangeMessage } from '../mutant.ts'
import { replaceSteps } from '../replace-steps.ts'

const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
const CALL_TEXT = /patchbay-concurrency/

/** Nothing goes on any more, as in a process that has crashed. */
const unlessDead: ChangeMessage = (message, { peer }) => (peer.get('dead') === true ? undefined : message)

/** Dies of a null in a list of tools. */
const diesOfNull: ChangeMessage = (message, context) => {
  const { tools } = object(message['result'])
  if (Array.isArray(tools) && tools.includes(null)) context.peer.set('dead', true)
  return unlessDead(message, context)
}

/** A step that fails because the server ended never ends. */
function waitsForEver(client: DrivenClient): DrivenClient {
  return replaceSteps(client, async (each, step) => {
    const outcome = await step(each)
    const isEnd = outcome.type === 'failed' && /clos|end|exit/i.test(outcome.message)
    return isEnd ? new Promise(() => undefined) : outcome
  })
}

/** The mutants of the area `neg`. */
export const NEG_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.neg.server.fuzz',
      side: 'server',
      fault: {
        incoming: (message, context) => {
          if (Array.isArray(message['params'])) context.peer.set('dead', true)
          return unlessDead(message, context)
        },
      },
    },
    { id: 'm.neg.client.fuzz', side: 'client', fault: { incoming: diesOfNull, outgoing: unlessDead } },
    {
      id: 'm.neg.client.bad-list-item',
      side: 'client',
      fault: {
        incoming: (message) => {
          const { tools } = object(message['result'])
          const isBad = (tool: unknown) =>
            typeof object(tool)['name'] !== 'string' || !('inputSchema' in object(tool))
          return Array.isArray(tools) && tools.some(isBad)
            ? { jsonrpc: '2.0', id: message['id'], result: { ...object(message['result']), tools: [] } }
            : message
        },
      },
    },
    {
      id: 'm.neg.http.methods',
      side: 'server',
      fault: {
        http: (request, next) => next(request.method === 'PUT' ? { ...request, method: 'POST' } : request),
      },
    },
    {
      id: 'm.neg.http.content-type',
      side: 'server',
      fault: {
        http: (request, next) =>
          next(
            request.method === 'POST'
              ? { ...request, headers: { ...request.headers, 'content-type': 'application/json' } }
              : request,
          ),
      },
    },
    {
      id: 'm.neg.http.slow',
      side: 'server',
      fault: { listener: (options) => ({ ...options, limits: { ...options.limits, sockets: 100 } }) },
    },
    {
      id: 'm.neg.http.big',
      side: 'server',
      fault: {
        http: (request, next) => {
          const isBig = request.body.length > 32 * 1024 * 1024
          return next(isBig ? { ...request, body: Buffer.from(request.body.toString().trim()) } : request)
        },
      },
    },
    {
      id: 'm.neg.http.header-injection',
      side: 'client',
      fault: {
        http: (request, next) => {
          const params =
            request.body.length === 0 ? {} : object(object(JSON.parse(request.body.toString()))['params'])
          const name = params['name'] ?? params['uri']
          const injected = typeof name === 'string' ? /\r\n(x-[\w-]+): (.*)/i.exec(name) : null
          if (injected === null) return next(request)
          const [, header = '', value = ''] = injected
          return next({ ...request, headers: { ...request.headers, [header.toLowerCase()]: value } })
        },
      },
    },
    {
      id: 'm.neg.server.concurrency',
      side: 'server',
      fault: {
        incoming: (message, { peer }) => {
          const text = /patchbay-concurrency \d+ \d+/.exec(JSON.stringify(message['params'] ?? null))?.[0]
          if (text !== undefined) peer.set(`call ${JSON.stringify(message['id'])}`, text)
          return message
        },
        outgoing: (message, { peer }) => {
          const text = JSON.stringify(message)
          const newest = peer.get(`call ${JSON.stringify(message['id'])}`)
          if (typeof newest !== 'string' || !CALL_TEXT.test(text)) return message
          return JSON.parse(text.replaceAll(/patchbay-concurrency \d+ \d+/g, newest)) as unknown
        },
      },
    },
    {
      id: 'm.neg.server.error-secrets',
      side: 'server',
      fault: {
        outgoing: (message) =>
          isJsonObject(message['error'])
            ? {
                ...message,
                error: { ...message['error'], data: 'PATH=/usr/bin PATCHBAY_CANARY=patchbay-canary' },
              }
            : message,
      },
      alsoBreaks: { 'base.error.reserved-codes': 'It replaces the data of -32021.' },
    },
    { id: 'm.neg.stdio.kill', side: 'client', fault: { driver: waitsForEver } },
    {
      id: 'm.neg.server.session-hijack',
      side: 'server',
      revisions: ['2025-03-26', '2025-06-18', '2025-11-25'],
      fault: { http: sessionIsToken },
    },
  ],
}
