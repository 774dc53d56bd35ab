import { NO_TAP, recordLines, type Tap } from '../../ports/tap.ts'

/** A tap that shows everything to two others. */
export function bothTaps(one: Tap, other: Tap): Tap {
  if (one === NO_TAP) return other
  if (other === NO_TAP) return one
  return {
    record: (frame) => {
      one.record(frame)
      other.record(frame)
    },
    lines: (lines) => {
      recordLines(one, lines)
      recordLines(other, lines)
    },
    ...(('session' in one || 'session' in other) && {
      session: () => bothTaps(one.session?.() ?? one, other.session?.() ?? other),
    }),
    fork: (transport) => bothTaps(one.fork?.(transport) ?? one, other.fork?.(transport) ?? other),
  }
}
