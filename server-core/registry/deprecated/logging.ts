import { isLogLevel, type LogLevel } from '../../protocol/log-level.ts'
import type { JsonObject } from '../../protocol/json.ts'

/** A log message of a handler. */
export type LogEmission = {
  readonly type: 'log'
  readonly level: LogLevel
  readonly data: unknown
  readonly logger?: string
}

/** Sends a log message: any JSON value, and the name of what logs if there is more than one. */
type Log = (data: unknown, logger?: string) => void

/**
 * Logs to the client (specification: Logging): `log.info(data)` and the like for each level, or
 * `log(level, data, logger)`. What is below the level that the client asked for is not sent.
 */
export type HandlerLog = ((level: LogLevel, data: unknown, logger?: string) => void) &
  Readonly<Record<LogLevel, Log>>

/** What logging needs of a run. */
type Emitter = { readonly emit: (emission: LogEmission) => void }

export const LOGGING_MEMBERS = {
  /** Logs to the client (specification: Logging, deprecated in 2026-07-28). */
  log: createLog,
}

/** Returns whether an emission of the type `log` is one. */
export function isLogEmission({ level }: JsonObject): boolean {
  return isLogLevel(level)
}

function createLog({ emit }: Emitter): HandlerLog {
  const log = (level: LogLevel, data: unknown, logger?: string) => {
    emit({ type: 'log', level, data, ...(logger === undefined ? {} : { logger }) })
  }
  const at =
    (level: LogLevel): Log =>
    (data, logger) => {
      log(level, data, logger)
    }
  return Object.assign(log, {
    debug: at('debug'),
    info: at('info'),
    notice: at('notice'),
    warning: at('warning'),
    error: at('error'),
    critical: at('critical'),
    alert: at('alert'),
    emergency: at('emergency'),
  })
}
