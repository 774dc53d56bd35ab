import { TransportError } from '../../ports/contract.ts'
import type { Flight } from './flight.ts'
import type { HttpReply } from './http-exchange.ts'
import { connectionFailure } from './http-failure.ts'
import { SseParser, type SseEvent } from './sse-codec.ts'

const FIRST_BACKOFF_MS = 1_000
const LONGEST_BACKOFF_MS = 30_000
const BACKOFF_FACTOR = 1.5
/** What a timer takes. */
const LONGEST_WAIT_MS = 2 ** 31 - 1
/** So many reconnections without a message, and a server's shorter wait is not followed any more. */
const MANY_QUIET_ROUNDS = 10
const QUIET_WAIT_MS = 250

export type StreamRules = {
  readonly maxBytes: number
  readonly flight: Flight
  /** Receives every event as it comes. */
  readonly onEvent: (event: SseEvent, reply: HttpReply) => void
  /** Nothing more is expected: the stream may end. */
  readonly isDone: () => boolean
  /** Opens the stream again after what `lastEventId` names; missing where streams cannot be resumed. */
  readonly resume?: (lastEventId: string | undefined) => Promise<HttpReply>
  /** Resume even if no event had an id. */
  readonly resumeWithoutId?: boolean
  /** Failed attempts in a row before it is given up. */
  readonly maxFailures: number
}

/**
 * Follows one logical event stream over as many connections as it takes (Streamable HTTP, resumability; 2025-11-25
 * lets a server hang up and be polled). `retry` of the stream is honoured, else the waits grow. Resolves when it is
 * done or abandoned; throws a `TransportError` when it is lost.
 */
export async function followStream(first: HttpReply, rules: StreamRules): Promise<void> {
  const { flight, resume } = rules
  let lastEventId: string | undefined
  let retryMs: number | undefined
  let failures = 0
  let quietRounds = 0
  for (let reply = first; ;) {
    let messages = 0
    const lost = await readEvents(reply, rules.maxBytes, (event) => {
      if (event.data !== undefined && event.data.length > 0) messages += 1
      if (event.id !== undefined) lastEventId = event.id === '' ? undefined : event.id
      if (event.retry !== undefined) retryMs = event.retry
      rules.onEvent(event, reply)
    })
    if (rules.isDone() || flight.isAbandoned()) return
    if (
      lost?.code === 'limit' ||
      resume === undefined ||
      (lastEventId === undefined && rules.resumeWithoutId !== true)
    ) {
      throw lost ?? endedEarly(reply)
    }
    quietRounds = messages === 0 ? quietRounds + 1 : 0
    if (messages > 0) failures = 0
    for (;;) {
      await flight.wait(waitBefore(retryMs, failures, quietRounds))
      if (flight.isAbandoned()) return
      try {
        reply = await resume(lastEventId)
        break
      } catch (error) {
        failures += 1
        if (flight.isAbandoned()) return
        if (isRefusal(error) || failures >= rules.maxFailures) throw notResumed(error)
      }
    }
  }
}

function waitBefore(retryMs: number | undefined, failures: number, quietRounds: number): number {
  if (retryMs === undefined)
    return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * BACKOFF_FACTOR ** (failures + quietRounds))
  const wait = quietRounds > MANY_QUIET_ROUNDS ? Math.max(QUIET_WAIT_MS, retryMs) : retryMs
  return Math.min(LONGEST_WAIT_MS, wait)
}

/** A client error will not go away by asking again. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof TransportError ? error.evidence.httpStatus : undefined
  return status !== undefined && status < 500 && status !== 429
}

function endedEarly(reply: HttpReply): TransportError {
  return new TransportError('connection-failed', 'the stream ended before the answer came', {
    url: reply.url,
    httpStatus: reply.status,
  })
}

function notResumed(cause: unknown): unknown {
  if (!(cause instanceof TransportError)) return cause
  const message = `the stream ended before the answer came and could not be resumed: ${cause.message}`
  return new TransportError(cause.code, message, cause.evidence, { cause })
}

/** Reads one connection to its end; returns the error if it was cut or had to be given up. */
async function readEvents(
  reply: HttpReply,
  maxBytes: number,
  onEvent: (event: SseEvent) => void,
): Promise<TransportError | undefined> {
  const parser = new SseParser(maxBytes, onEvent)
  try {
    await reply.stream?.read((chunk) => parser.push(chunk))
    return undefined
  } catch (cause) {
    return connectionFailure(cause, reply.url, reply.afterMs)
  }
}
