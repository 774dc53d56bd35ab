/** The transports that `patchbay serve` offers; all but `stdio` share one port. */
export const TRANSPORTS = ['stdio', 'http', 'sse', 'ws'] as const
export type TransportName = (typeof TRANSPORTS)[number]

/** Severities of the log of `patchbay serve`, from the least to the most severe. */
export const LOG_LEVELS = ['debug', 'info', 'warning', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The longest time in seconds that an idle session is retained: a week. */
export const MOST_SESSION_TTL = 604_800

/** Returns whether a text is an origin as browsers send it: scheme, host and port. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}
