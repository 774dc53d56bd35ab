import type { Connection } from '../../client/connect.ts'
import type { Declaration } from '../../client/declaration.ts'
import type { ConnectionListeners } from '../../client/events.ts'
import type { Responders } from '../../client/responders.ts'

/** What a connection to a server behind the proxy is opened with. */
export type UpstreamParts = {
  /** Who asks and what it answers: the client in front, in its own words. */
  readonly declaration: Declaration
  readonly responders: Responders
  readonly listeners: ConnectionListeners
  readonly signal: AbortSignal
}

/**
 * Opens a new connection to a server behind the proxy. It is called once for each client in front that needs one of its
 * own, and again when a connection was lost.
 */
export type OpenUpstream = (parts: UpstreamParts) => Promise<Connection>

/** What becomes of a server behind the proxy. */
export type UpstreamNotice =
  | { readonly type: 'up'; readonly alias: string | undefined; readonly after: number }
  | {
      readonly type: 'down'
      readonly alias: string | undefined
      readonly reason: string
      /** Milliseconds until it is tried again. */
      readonly retryMs: number
    }
  /** Two servers have a tool, prompt or resource of the same name; the second is not shown. */
  | {
      readonly type: 'hidden'
      readonly alias: string | undefined
      readonly name: string
      readonly owner: string
    }

/** A notice in words. */
export function noticeText(notice: UpstreamNotice): string {
  const who = notice.alias === undefined ? 'The server' : `"${notice.alias}"`
  switch (notice.type) {
    case 'up':
      return notice.after === 0 ? `${who} is connected.` : `${who} is back after ${notice.after} tries.`
    case 'down':
      return `${who} is not there: ${notice.reason}. It is tried again in ${notice.retryMs / 1_000} s.`
    case 'hidden':
      return `${who} has ${notice.name}, which "${notice.owner}" has too; that of "${notice.owner}" is served.`
  }
}
