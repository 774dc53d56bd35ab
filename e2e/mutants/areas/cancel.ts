import { setTimeout as wait } from 'node:timers/promises'
import type { JsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages, type ChangeMessage, type Fault, type Mutant } from '../mutant.ts'
import { errorFor, paramsOf } from './changes-message.ts'
import { droppedListens } from './ended-listens.ts'

const CANCELLED = 'notifications/cancelled'
const LINES = ['stdio', 'websocket'] as const

const cancelling = (requestId: unknown) => ({ jsonrpc: '2.0', method: CANCELLED, params: { requestId } })
const isAnswer = (message: JsonObject) => message['method'] === undefined && 'id' in message

/** A list kept for one connection. */
function listOf(connection: Map<string, unknown>, name: string): unknown[] {
  const known = connection.get(name)
  if (Array.isArray(known)) return known as unknown[]
  const list: unknown[] = []
  connection.set(name, list)
  return list
}

const dropsCancelled: ChangeMessage = (message) => (message['method'] === CANCELLED ? undefined : message)

/** Reads an invalid id as the newest request. */
const abortsNewest: Fault = {
  outgoing: (message, { connection }) => {
    if (message['method'] !== undefined && 'id' in message) connection.set('newest', message['id'])
    return message
  },
  incoming: (message, { connection }) => {
    const { requestId } = paramsOf(message)
    const isMalformed = message['method'] === CANCELLED && !['string', 'number'].includes(typeof requestId)
    if (!isMalformed || !connection.has('newest')) return message
    return errorFor({ id: connection.get('newest') }, -32_800, 'The request was cancelled')
  },
}

/** Sends the answer to a cancelled request as that of a request that is still open. */
const resolvesOldest: Fault = {
  outgoing: (message, { connection }) => {
    const { method, id } = message
    if (method === CANCELLED) listOf(connection, 'cancelled').push(paramsOf(message)['requestId'])
    else if (method !== undefined && id !== undefined) listOf(connection, 'open').push(id)
    return message
  },
  incoming: (message, { connection }) => {
    if (!isAnswer(message)) return message
    const open = listOf(connection, 'open')
    const cancelled = listOf(connection, 'cancelled')
    const { id } = message
    open.splice(open.indexOf(id), 1)
    const other = open.find((each) => !cancelled.includes(each))
    return cancelled.includes(id) && other !== undefined ? { ...message, id: other } : message
  },
}

/** The handler does not learn that its call was cancelled. */
const worksOn: Fault = {
  incoming: (message) => {
    const params = paramsOf(message)
    if (params['name'] !== 'test_slow_effect') return message
    const args = { ...paramsOf({ params: params['arguments'] }), ignoresCancellation: true }
    return { ...message, params: { ...params, arguments: args } }
  },
}

const SERVER: readonly Mutant[] = [
  {
    id: 'm.cancel.server.valid-target',
    side: 'server',
    revisions: ['2025-11-25'],
    transports: LINES,
    fault: {
      incoming: (message, { connection }) => {
        if (isAnswer(message)) listOf(connection, 'answered').push(message['id'])
        return message
      },
      outgoing: (message, { connection }) => {
        const answered = listOf(connection, 'answered').splice(0)
        return isAnswer(message) && answered.length > 0
          ? new Messages(...answered.map(cancelling), message)
          : message
      },
    },
  },
  {
    id: 'm.cancel.server.stops-work',
    side: 'server',
    revisions: ['2025-11-25'],
    fault: worksOn,
  },
  {
    id: 'm.cancel.listen-teardown/server',
    side: 'server',
    revisions: ['2026-07-28'],
    transports: LINES,
    fault: droppedListens,
  },
  {
    id: 'm.cancel.server.no-answer',
    side: 'server',
    transports: LINES,
    fault: {
      incoming: (message, { reply }) => {
        if (message['method'] === CANCELLED)
          reply(errorFor({ id: paramsOf(message)['requestId'] }, -32_800, 'The request was cancelled'))
        return message
      },
    },
  },
  {
    id: 'm.cancel.server.unknown-ignored',
    side: 'server',
    fault: {
      incoming: (message, { connection, crash }) => {
        const ids = listOf(connection, 'ids')
        if (message['method'] !== undefined && 'id' in message) ids.push(message['id'])
        const { requestId } = paramsOf(message)
        if (message['method'] !== CANCELLED || requestId === undefined || ids.includes(requestId))
          return message
        crash?.()
        return undefined
      },
    },
  },
  {
    id: 'm.cancel.server.race',
    side: 'server',
    revisions: ['2025-11-25'],
    fault: {
      outgoing: (message, { connection }) => {
        if (isAnswer(message)) listOf(connection, 'finished').push(message['id'])
        return message
      },
      incoming: (message, { connection }) => {
        if (message['method'] === CANCELLED) {
          const isFinished = listOf(connection, 'finished').includes(paramsOf(message)['requestId'])
          if (isFinished) connection.set('drops', true)
          return message
        }
        if (message['id'] === undefined || message['method'] === undefined || !connection.delete('drops'))
          return message
        return undefined
      },
    },
  },
  {
    id: 'm.cancel.server.late-answer',
    side: 'server',
    transports: LINES,
    fault: {
      outgoing: (message, { connection }) => {
        if (message['method'] !== undefined && 'id' in message) connection.set('newest', message['id'])
        return message
      },
      incoming: (message, { connection }) => {
        if (paramsOf(message)['name'] === 'test_asks_slowly') connection.set('asks', true)
        return isAnswer(message) && connection.has('asks') && connection.has('newest')
          ? { ...message, id: connection.get('newest') }
          : message
      },
    },
  },
  {
    id: 'm.cancel.http-close',
    side: 'server',
    fault: worksOn,
  },
]

const CLIENT: readonly Mutant[] = [
  {
    id: 'm.cancel.client.valid-target',
    side: 'client',
    transports: LINES,
    fault: {
      incoming: (message, { reply, answers }) => {
        if (isAnswer(message) && answers !== undefined && answers['method'] !== 'initialize')
          reply(cancelling(message['id']))
        return message
      },
    },
  },
  {
    id: 'm.cancel.client.never-initialize',
    side: 'client',
    fault: {
      outgoing: (message) =>
        message['method'] === 'initialize' ? new Messages(message, cancelling(message['id'])) : message,
    },
  },
  {
    id: 'm.cancel.client.no-answer',
    side: 'client',
    fault: { incoming: dropsCancelled },
  },
  { id: 'm.cancel.client.unknown-ignored', side: 'client', fault: abortsNewest },
  { id: 'm.cancel.client.late-answer', side: 'client', transports: LINES, fault: resolvesOldest },
  {
    id: 'm.cancel.client.signals',
    side: 'client',
    revisions: ['2025-11-25'],
    fault: { outgoing: dropsCancelled },
  },
  {
    id: 'm.cancel.client.signals:lines',
    side: 'client',
    revisions: ['2026-07-28'],
    transports: LINES,
    fault: { outgoing: dropsCancelled },
  },
]

/** The mutants of the area `cancel`. */
export const CANCEL_PROOF: AreaProof = {
  mutants: [...SERVER, ...CLIENT],
  fixtures: (registry) => {
    registry.addTool({
      name: 'test_asks_slowly',
      description: 'Asks the model, and goes on without it after a while.',
      run: async (_args, ctx) => {
        const answer = ctx.sample('Hello', { maxTokens: 5 }).catch(() => 'no answer')
        return JSON.stringify(await Promise.race([answer, wait(400, 'no answer')]))
      },
    })
  },
}
