import { setTimeout as wait } from 'node:timers/promises'
import {
  transportsFor,
  type TransportFactory,
  type TransportOptions,
  type ServerAddress,
} from '../transports/opener.ts'
import { connect, type Connection, type ConnectOptions } from './connect.ts'
import { ConnectError, type ConnectFailureCode } from './errors.ts'

/** How a connection is made, whatever carries it. */
export type ClientOptions = Omit<ConnectOptions, 'open' | 'openOlder'> & {
  /** Milliseconds for one attempt to connect, the start of a process included; without end unless told. */
  readonly startTimeoutMs?: number
  /** How often it is tried again where that may help: nobody listens, no answer in time, HTTP 429 and 5xx. None unless told. */
  readonly retries?: number
  /** Milliseconds before the first retry, twice as many before each that follows, at most 30,000; 500 unless told. */
  readonly retryDelayMs?: number
}

/**
 * Connects to a server by where it is: a program with its arguments, folder and variables, or a URL with its headers, over
 * the transport that is named or found out. Throws a `ConnectError`, after as many retries as were asked for.
 *
 * @example
 * ```ts
 * import { connectTo } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * console.log(connection.revision)
 * for (const { name } of (await connection.listTools()).items) console.log(name)
 * await connection.close()
 * ```
 */
export function connectTo(
  address: ServerAddress,
  options: ClientOptions,
  parts: TransportOptions = {},
): Promise<Connection> {
  const { limits } = options
  return connectPatiently(transportsFor(address, { ...(limits && { limits }), ...parts }), options)
}

const USUAL_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000

async function connectPatiently(opening: TransportFactory, options: ClientOptions): Promise<Connection> {
  const { startTimeoutMs, retries = 0, retryDelayMs = USUAL_DELAY_MS, ...rest } = options
  const { signal: given } = options
  for (let attempt = 0; ; attempt += 1) {
    const timeUp = new AbortController()
    const timer = startTimeoutMs === undefined ? undefined : setTimeout(() => timeUp.abort(), startTimeoutMs)
    const signal = given === undefined ? timeUp.signal : AbortSignal.any([given, timeUp.signal])
    try {
      return await connect({ ...rest, ...opening, signal })
    } catch (error) {
      if (!(error instanceof ConnectError) || given?.aborted === true) throw error
      const late = timeUp.signal.aborted
      const cause = late ? tooLate(error, startTimeoutMs) : error
      if (attempt >= retries || !(late || mayPass(error))) throw cause
      await error.ended
      const delay = Math.min(LONGEST_DELAY_MS, retryDelayMs * 2 ** attempt)
      await wait(delay, undefined, given === undefined ? {} : { signal: given })
    } finally {
      clearTimeout(timer)
    }
  }
}

function tooLate({ steps, evidence, ended }: ConnectError, milliseconds: number | undefined): ConnectError {
  const message = `the server was not ready within ${milliseconds} ms`
  return new ConnectError('timeout', message, { steps, evidence, ended })
}

const PASSING: ReadonlySet<ConnectFailureCode> = new Set(['connection-failed', 'timeout'])

/** A failure that may be over by the next time; a wrong command, address or token is not. */
function mayPass({ code, evidence }: ConnectError): boolean {
  const { httpStatus = 0 } = evidence
  return PASSING.has(code) || httpStatus === 429 || httpStatus >= 500
}
