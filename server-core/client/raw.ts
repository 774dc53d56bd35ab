import { setTimeout as wait } from 'node:timers/promises'
import { stringifyExact } from '../protocol/exact-json.ts'
import { isJsonObject } from '../protocol/json.ts'
import { isRequestId, type RequestId } from '../protocol/messages.ts'
import type { Incoming, RawOptions, RawOutcome } from '../ports/contract.ts'
import type { Channel } from './channel.ts'

export type RawSending = RawOptions & {
  /** Milliseconds to wait for answers to the ids that were sent; 10,000 unless told, 0 waits for none. */
  readonly waitMs?: number
  /** Aborting stops waiting; the server is not notified. */
  readonly signal?: AbortSignal
}

/** The result of something that was sent as it is. */
export type RawExchange = RawOutcome & {
  /** The answers by id, in the order in which they came, each as it came: valid or not. */
  readonly answers: readonly Incoming[]
  /** The ids of requests that were sent and not answered while it was waited. */
  readonly unanswered: readonly RequestId[]
}

/**
 * Sends bytes, text or a JSON value on an open connection, past every check, and waits for the answers to the requests
 * in it, if it can be parsed. Everything else that comes of it is emitted as the events `received` and
 * `invalid`. An id that another request has in flight is answered to both. Throws what the transport throws.
 */
export async function exchangeRaw(
  channel: Channel,
  data: unknown,
  options: RawSending = {},
): Promise<RawExchange> {
  const { waitMs = 10_000, signal, ...how } = options
  const bytes = bytesOf(data)
  const open = new Set(waitMs > 0 ? idsIn(data, bytes) : [])
  const answers: Incoming[] = []
  const done = Promise.withResolvers<void>()
  const stop = channel.listenRaw(open, (id, incoming) => {
    answers.push(incoming)
    open.delete(id)
    if (open.size === 0) done.resolve()
  })
  const over = new AbortController()
  const ends = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])])
  try {
    const outcome = await channel.transport.sendRaw(bytes, how)
    if (open.size > 0) {
      const timeUp = wait(waitMs, undefined, { signal: ends }).catch(() => undefined)
      await Promise.race([done.promise, timeUp, channel.ended])
    }
    return { ...outcome, answers, unanswered: [...open] }
  } finally {
    over.abort()
    stop()
  }
}

function bytesOf(data: unknown): Uint8Array {
  if (data instanceof Uint8Array) return data
  return new TextEncoder().encode(typeof data === 'string' ? data : stringifyExact(data))
}

/** The ids of the requests in what is sent, as far as it can be read. */
function idsIn(data: unknown, bytes: Uint8Array): readonly RequestId[] {
  let value = data
  if (typeof data === 'string' || data instanceof Uint8Array) {
    try {
      value = JSON.parse(new TextDecoder().decode(bytes)) as unknown
    } catch {
      // Invalid JSON has no id that could be answered.
      return []
    }
  }
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value]
  return messages.flatMap((message) => {
    if (!isJsonObject(message) || message['method'] === undefined) return []
    return isRequestId(message['id']) ? [message['id']] : []
  })
}
