import { setTimeout as wait } from 'node:timers/promises'
import { TransportError } from './contract.ts'
import { connectionFailure } from './http-failure.ts'
import type { HttpReply } from './http-wire.ts'
import { SseParser, type SseEvent } from './sse-codec.ts'

const FIRST_BACKOFF_MS = 1_000
const LONGEST_BACKOFF_MS = 30_000
const BACKOFF_FACTOR = 1.5

export type StreamRules = {
  readonly url: string
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Takes every event as it comes. */
  readonly onEvent: (event: SseEvent, reply: HttpReply) => void
  /** Nothing more is expected: the stream may end. */
  readonly isDone: () => boolean
  /**
   * Opens the stream again after what `lastEventId` names, and gives the reply or a reason to stop; missing where
   * streams cannot be resumed.
   */
  readonly resume?: (lastEventId: string | undefined) => Promise<HttpReply>
  /** Resume even if no event had an id. */
  readonly resumeWithoutId?: boolean
  /** Failed attempts in a row before it is given up. */
  readonly maxFailures: number
}

/**
 * Follows one logical event stream over as many connections as it takes (Streamable HTTP, resumability; 2025-11-25
 * lets a server hang up and be polled). `retry` of the stream is honoured, else the waits grow. Resolves when it is
 * done or given up by `signal`; throws a `TransportError` when it is lost.
 */
export async function followStream(first: HttpReply, rules: StreamRules): Promise<void> {
  let lastEventId: string | undefined
  let retryMs: number | undefined
  let failures = 0
  let quietRounds = 0
  for (let reply = first; ;) {
    let events = 0
    const lost = await readEvents(reply, rules, (event) => {
      events += 1
      if (event.id !== undefined) lastEventId = event.id === '' ? undefined : event.id
      if (event.retry !== undefined) retryMs = event.retry
      rules.onEvent(event, reply)
    })
    if (rules.isDone() || rules.signal.aborted) return
    const { resume } = rules
    if (
      lost?.code === 'limit' ||
      resume === undefined ||
      (lastEventId === undefined && rules.resumeWithoutId !== true)
    ) {
      throw (
        lost ??
        new TransportError('connection-failed', 'the stream ended before the answer came', {
          url: rules.url,
          httpStatus: reply.status,
        })
      )
    }
    quietRounds = events === 0 ? quietRounds + 1 : 0
    if (events > 0) failures = 0
    for (;;) {
      const backoff = FIRST_BACKOFF_MS * BACKOFF_FACTOR ** (failures + quietRounds)
      await wait(retryMs ?? Math.min(LONGEST_BACKOFF_MS, backoff), undefined, { signal: rules.signal }).catch(
        () => undefined,
      )
      if (isAborted(rules.signal)) return
      try {
        reply = await resume(lastEventId)
        break
      } catch (error) {
        failures += 1
        if (isAborted(rules.signal)) return
        const refused =
          error instanceof TransportError &&
          error.evidence.httpStatus !== undefined &&
          error.evidence.httpStatus < 500
        if (refused || failures >= rules.maxFailures) throw error
      }
    }
  }
}

/** A look at the signal that the compiler does not take for the last one: it changes while we wait. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}

/** Reads one connection to its end; gives the error if it was cut or had to be given up. */
async function readEvents(
  reply: HttpReply,
  rules: StreamRules,
  onEvent: (event: SseEvent) => void,
): Promise<TransportError | undefined> {
  const parser = new SseParser(rules.maxBytes, onEvent)
  try {
    for await (const chunk of reply.body as AsyncIterable<Buffer>) parser.push(chunk)
    return undefined
  } catch (cause) {
    reply.giveUp()
    return connectionFailure(cause, rules.url, reply.afterMs)
  }
}
