/** The transports that `patchbay serve` offers; all but `stdio` share one port. */
export const SERVE_TRANSPORTS = ['stdio', 'http', 'sse', 'ws'] as const
export type ServeTransport = (typeof SERVE_TRANSPORTS)[number]

/** Severities of the log of `patchbay serve`, from the least to the most severe. */
export const SERVE_LOG_LEVELS = ['debug', 'info', 'warning', 'error'] as const
export type ServeLogLevel = (typeof SERVE_LOG_LEVELS)[number]

/** The longest time in seconds that an idle session is retained: a week. */
export const MOST_SESSION_TTL = 604_800

/** Returns whether a text is an origin as browsers send it: scheme, host and port. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}
