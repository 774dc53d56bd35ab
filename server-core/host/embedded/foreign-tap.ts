import { recordLines, type Frame, type Tap } from '../../ports/tap.ts'

/** Exchanges of our own that are remembered; what is in use moves to the end. */
const KEPT = 4_096

/**
 * A tap for the embedded server that forwards what other clients send and receive. Our own window is such a client
 * too, and its side of the connection is on the timeline already: each of its messages would appear twice.
 *
 * @param isOwn recognises a request of our own client by its headers
 */
export function foreignTap(tap: Tap, isOwn: (headers: Readonly<Record<string, string>>) => boolean): Tap {
  const own = new Set<number>()
  const remember = (exchange: number): void => {
    own.delete(exchange)
    own.add(exchange)
    if (own.size <= KEPT) return
    for (const first of own) {
      own.delete(first)
      return
    }
  }
  return {
    session: () => foreignClientTap(tap.session?.() ?? tap, isOwn),
    fork: (transport) => foreignClientTap(tap.fork?.(transport) ?? tap, isOwn),
    record: (frame: Frame) => {
      const http = 'http' in frame ? frame.http : undefined
      if (http === undefined) tap.record(frame)
      else if (own.has(http.exchange) || (frame.direction === 'received' && isOwn(http.headers))) {
        remember(http.exchange)
      } else tap.record(frame)
    },
    // They have no head by which they are ours.
    lines: (lines) => {
      recordLines(tap, lines)
    },
  }
}

/** The same for one client alone: it is ours or not, as the head it came with says. */
function foreignClientTap(tap: Tap, isOwn: (headers: Readonly<Record<string, string>>) => boolean): Tap {
  let ours = false
  return {
    record: (frame: Frame) => {
      ours ||= 'http' in frame && frame.direction === 'received' && isOwn(frame.http.headers)
      if (!ours) tap.record(frame)
    },
    lines: (lines) => {
      if (!ours) recordLines(tap, lines)
    },
  }
}
