import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { DrivenClient } from '../../../server-core/conformance/exam/client-driver.ts'
import { Messages, type ChangeMessage, type Fault, type Mutant } from '../mutant.ts'
import { decodedApart, latin1, stackMessage, textCode, withIds } from './base-faults.ts'
import { replaceSteps } from '../replace-steps.ts'

const isRequest = (message: JsonObject) => typeof message['method'] === 'string' && 'id' in message

/** A client that is dead after something that it read: it writes nothing more, and its calls run into their limit. */
export function diesOf(isDeadly: ChangeMessage): Fault {
  return {
    incoming: (message, context) => {
      if (isDeadly(message, context) === true) context.peer.set('dead', true)
      return message
    },
    outgoing: (message, { peer }) => (peer.get('dead') === true ? undefined : message),
    connect: (options) => ({ ...options, requestTimeoutMs: 1_000 }),
  }
}

/** A client whose steps fail after one of them. */
export function failsAfter(isLast: (client: DrivenClient, type: string) => boolean): Fault {
  return {
    driver: (client) => {
      let isDead = false
      return replaceSteps(client, async (asked, step) => {
        if (isDead) return { type: 'failed', message: 'The client crashed' }
        isDead = isLast(client, asked.type)
        return await step(asked)
      })
    },
  }
}

/** Requests whose id is their method; the answers go to the oldest. */
const methodIds: Fault = {
  outgoing: (message, { peer }) => {
    if (!isRequest(message)) return message
    const key = String(message['method'])
    peer.set(key, [...((peer.get(key) as unknown[] | undefined) ?? []), message['id']])
    return { ...message, id: key }
  },
  incoming: (message, { peer }) => {
    const ids = peer.get(String(message['id']))
    return 'method' in message || !Array.isArray(ids) ? message : { ...message, id: ids.shift() as unknown }
  },
}

const LEGACY = ['2025-11-25'] as const
const refused = (message: JsonObject) => ({
  jsonrpc: '2.0',
  id: message['id'],
  error: { code: -32_603, message: 'The client cannot read this' },
})

/** The mutants of the area `base` on the side of clients. */
export const BASE_CLIENT_MUTANTS: readonly Mutant[] = [
  {
    id: 'm.base.wire.jsonrpc/client',
    side: 'client',
    fault: { outgoing: (message) => ({ ...message, jsonrpc: '1.0' }) },
  },
  {
    id: 'm.base.wire.request-id/client',
    side: 'client',
    fault: withIds((request, count) => (count === 3 ? null : request['id'])),
  },
  {
    id: 'm.base.wire.id-unique-session/client',
    side: 'client',
    fault: withIds((_request, count) => (count > 5 ? count - 5 : count)),
  },
  { id: 'm.base.wire.id-unique-inflight', side: 'client', fault: methodIds },
  {
    id: 'm.base.wire.response-xor/client',
    side: 'client',
    revisions: LEGACY,
    fault: { outgoing: (message) => ('error' in message ? { ...message, result: {} } : message) },
  },
  {
    id: 'm.base.id.echo-client',
    side: 'client',
    fault: {
      outgoing: (message) =>
        !('method' in message) && typeof message['id'] === 'string' ? { ...message, id: 1 } : message,
    },
  },
  {
    id: 'm.base.error.object-shape/client',
    side: 'client',
    revisions: LEGACY,
    fault: { outgoing: textCode },
  },
  {
    id: 'm.base.error.short-message/client',
    side: 'client',
    revisions: LEGACY,
    fault: { outgoing: stackMessage },
  },
  {
    id: 'm.base.error.data-tolerated',
    side: 'client',
    fault: diesOf(
      ({ error }) => isJsonObject(error) && (error['data'] === null || error['data'] === undefined),
    ),
  },
  {
    id: 'm.base.error.private-codes-no-meaning',
    side: 'client',
    fault: {
      driver: (client) =>
        replaceSteps(client, async (asked, step) => {
          const outcome = await step(asked)
          if (outcome.type === 'failed' && outcome.code === -32_001) {
            await step({ type: 'connect' })
            await step({ type: 'list', list: 'tools' })
          }
          return outcome
        }),
    },
  },
  {
    id: 'm.base.notification.no-id/client',
    side: 'client',
    revisions: LEGACY,
    fault: {
      outgoing: (message) =>
        message['method'] === 'notifications/roots/list_changed' ? { ...message, id: 'n' } : message,
    },
  },
  {
    id: 'm.base.notification.unanswered.client',
    side: 'client',
    transports: ['stdio', 'websocket'],
    fault: {
      incoming: (message, { reply }) => {
        if (message['method'] !== 'notifications/unknown') return message
        reply({ jsonrpc: '2.0', id: null, error: { code: -32_601, message: 'Method not found' } })
        return undefined
      },
    },
  },
  {
    id: 'm.base.result.open.client',
    side: 'client',
    fault: {
      incoming: (message) =>
        JSON.stringify(message).includes('"patchbayExtra"') ? refused(message) : message,
    },
  },
  { id: 'm.base.encoding.utf8/client', side: 'client', fault: { outgoingBytes: latin1 } },
  { id: 'm.base.encoding.chunk-split/client', side: 'client', fault: { incoming: decodedApart } },
  {
    id: 'm.base.batch.receive.client',
    side: 'client',
    fault: {
      incoming: (message, { isInArray }) => (isInArray ? undefined : message),
      connect: (options) => ({ ...options, requestTimeoutMs: 1_000 }),
    },
  },
  {
    id: 'm.base.batch.no-initialize/client',
    side: 'client',
    transports: ['stdio', 'websocket'],
    fault: {
      outgoing: (message) => (message['method'] === 'initialize' ? new Messages([message]) : message),
    },
  },
  { id: 'm.base.deep-nesting/client', side: 'client', fault: failsAfter((_client, type) => type === 'call') },
  {
    id: 'm.base.proto-keys/client',
    side: 'client',
    fault: {
      incoming: (message) => (JSON.stringify(message).includes('"__proto__":') ? refused(message) : message),
    },
  },
]
