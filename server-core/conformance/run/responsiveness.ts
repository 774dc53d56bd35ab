import type { Outcome } from '../probe/outcome.ts'
import type { ServerProbe } from '../probe/server-probe.ts'
import type { Waits } from '../probe/waits.ts'

/** Twice the waits, for the second run of a check whose first one rested on a wait. */
export function doubled({ answerMs, silenceMs }: Waits): Waits {
  return { answerMs: answerMs * 2, silenceMs: silenceMs * 2 }
}

/**
 * Whether the server answers anything at all on a new connection. If it does not, then silence says nothing about the
 * message that it did not answer: the server, or the machine, is too slow or has stopped. Never throws.
 */
export async function answersAnything(probe: ServerProbe): Promise<boolean> {
  try {
    const connection = await probe.open()
    const opening = probe.isModern ? connection.call('server/discover') : connection.handshake()
    const calls = [opening, connection.call('ping'), connection.call('tools/list')]
    return await Promise.any(calls.map(answered))
  } catch {
    return false
  }
}

/** Rejects for a request that nothing answered. */
async function answered(call: Promise<Outcome | undefined>): Promise<true> {
  const outcome = await call
  if (outcome === undefined || outcome.type === 'silence' || outcome.type === 'closed')
    throw new Error('not answered')
  return true
}
