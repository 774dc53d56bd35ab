import type { JsonObject } from '../protocol/json.ts'
import type { Emission, LogLevel } from '../registry/invocation.ts'
import { encodeNotification } from './encode.ts'

const NO_META = {}
const LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

/** Tells whether a value names a log level (specification: Logging). */
export function isLogLevel(value: unknown): value is LogLevel {
  return LEVELS.some((level) => level === value)
}

/** Tells whether a message of `level` passes a floor. */
export function reaches(level: LogLevel, floor: LogLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(floor)
}

/**
 * Makes notifications of what a handler sends before its result (specification: Progress, Logging): progress only
 * with a token and only when it rises, logs only from `floor` up; without a floor none.
 */
export class EmissionFilter {
  readonly #token: string | number | undefined
  readonly #floor: () => LogLevel | undefined
  readonly #progressMessages: boolean
  readonly #meta: { readonly _meta?: JsonObject }
  #progress = Number.NEGATIVE_INFINITY

  /** `progressMessages`: the revision lets progress carry a message. `meta` goes out with everything. */
  constructor(
    progressToken: unknown,
    floor: () => LogLevel | undefined,
    progressMessages = true,
    meta?: JsonObject,
  ) {
    this.#progressMessages = progressMessages
    this.#meta = meta === undefined ? NO_META : { _meta: meta }
    this.#token =
      typeof progressToken === 'string' || typeof progressToken === 'number' ? progressToken : undefined
    this.#floor = floor
  }

  /** The bytes to send, or undefined if the client gets nothing of it. */
  encode(emission: Emission): Buffer | undefined {
    if (emission.type === 'progress') return this.#encodeProgress(emission)
    return emission.type === 'log' ? this.#encodeLog(emission) : undefined
  }

  #encodeProgress(emission: Extract<Emission, { type: 'progress' }>): Buffer | undefined {
    const { progress, total, message } = emission
    if (this.#token === undefined || !Number.isFinite(progress) || progress <= this.#progress)
      return undefined
    this.#progress = progress
    return encodeNotification('notifications/progress', {
      progressToken: this.#token,
      progress,
      ...(total === undefined || !Number.isFinite(total) ? {} : { total }),
      ...(message === undefined || !this.#progressMessages ? {} : { message }),
      ...this.#meta,
    })
  }

  #encodeLog(emission: Extract<Emission, { type: 'log' }>): Buffer | undefined {
    const { level, data, logger } = emission
    const floor = this.#floor()
    if (floor === undefined || !reaches(level, floor)) return undefined
    const named = { ...(logger === undefined ? {} : { logger }), ...this.#meta }
    try {
      return encodeNotification('notifications/message', { level, ...named, data: data ?? null })
    } catch (error) {
      // A value that JSON cannot carry must not end the handler for the sake of a log line.
      const reason = error instanceof Error ? error.message : String(error)
      return encodeNotification('notifications/message', { level, ...named, data: `(no JSON: ${reason})` })
    }
  }
}
