import type { Invocation, LogLevel } from './invocation.ts'

/** Sends a log message: any JSON value, and the name of what logs if there is more than one. */
export type Log = (data: unknown, logger?: string) => void

/**
 * Logs to the client (specification: Logging): `log.info(data)` and the like for each level, or
 * `log(level, data, logger)`. What is below the level that the client asked for is not sent.
 */
export type HandlerLog = ((level: LogLevel, data: unknown, logger?: string) => void) &
  Readonly<Record<LogLevel, Log>>

/** The `ctx.log` of one run. */
export function createLog(invocation: Invocation): HandlerLog {
  const log = (level: LogLevel, data: unknown, logger?: string) => {
    invocation.emit({ type: 'log', level, data, ...(logger === undefined ? {} : { logger }) })
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
