import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from '../client/connect.ts'
import { PeerError, RequestFailedError } from '../client/errors.ts'
import type { JsonObject } from '../protocol/json.ts'

/** A call of the load; several take turns. */
export type LoadCall = { readonly tool: string; readonly arguments: JsonObject }

export type LoadOptions = {
  readonly calls: readonly [LoadCall, ...LoadCall[]]
  /** Calls in all. */
  readonly count: number
  /** Milliseconds after which no further call begins. */
  readonly durationMs: number
  /** Calls of each client at once. */
  readonly inFlight: number
  /** Calls per second of all clients; as fast as answers come unless given. */
  readonly rate?: number
  /** Milliseconds for one answer. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** What a run measured. */
export type LoadSample = {
  /** Milliseconds of each answered call, in the order of their ends. */
  readonly durations: readonly number[]
  /** Calls that failed, by kind. Their time is not among the durations. */
  readonly errors: Readonly<Record<string, number>>
  readonly elapsedMs: number
}

/**
 * Calls over all connections at once. With a rate, time counts from the moment at which a call should have begun, so
 * that a server that stalls is not measured as a fast one. A connection that is lost takes no further calls.
 */
export async function runLoad(connections: readonly Connection[], options: LoadOptions): Promise<LoadSample> {
  const { count, durationMs, inFlight, rate, signal } = options
  const durations: number[] = []
  const errors: Record<string, number> = {}
  const start = performance.now()
  let next = 0
  const work = async (connection: Connection): Promise<void> => {
    while (next < count && performance.now() - start < durationMs) {
      signal.throwIfAborted()
      const number = next
      next += 1
      const planned = rate === undefined ? performance.now() : start + (number * 1_000) / rate
      const early = planned - performance.now()
      if (planned - start >= durationMs) return
      if (early > 0) await wait(early, undefined, { signal })
      const outcome = await oneCall(connection, number, options)
      if (outcome.error === undefined) durations.push(performance.now() - planned)
      else errors[outcome.error] = (errors[outcome.error] ?? 0) + 1
      if (outcome.isLost) return
    }
  }
  await Promise.all(
    connections.flatMap((connection) => Array.from({ length: inFlight }, () => work(connection))),
  )
  return { durations, errors, elapsedMs: performance.now() - start }
}

type CallEnd = { readonly error?: string; readonly isLost?: true }

async function oneCall(
  connection: Connection,
  number: number,
  { calls, timeoutMs, signal }: LoadOptions,
): Promise<CallEnd> {
  const { tool: name, arguments: args } = calls[number % calls.length] ?? calls[0]
  try {
    const { result } = await connection.request(
      'tools/call',
      { name, arguments: args },
      { timeoutMs, signal },
    )
    return result['isError'] === true ? { error: 'isError' } : {}
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof PeerError) return { error: `error ${error.code}` }
    if (!(error instanceof RequestFailedError)) throw error
    return { error: error.code, ...(error.code === 'closed' && { isLost: true }) }
  }
}
