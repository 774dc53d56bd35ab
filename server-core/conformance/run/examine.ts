import { messageOf } from '../../protocol/error-message.ts'
import { Stopped, type Examination } from '../examination.ts'
import { verdictOf, type CheckResult } from '../verdict.ts'

/** What ends a check early. */
export type Limits = {
  readonly deadlineMs: number
  /** Aborted with the reason when the whole run is over. */
  readonly signal?: AbortSignal
}

/** Runs the code of one check within its limits and gives the result. Never throws. */
export async function examine<Kind extends Examination>(
  examination: Kind,
  run: (examination: Kind) => Promise<void> | void,
  { deadlineMs, signal }: Limits,
): Promise<CheckResult> {
  const began = performance.now()
  const { entry, cell, findings, log } = examination
  const result = (rest: Pick<CheckResult, 'verdict'> & { reason?: string }): CheckResult => ({
    id: entry.id,
    title: entry.title,
    cell,
    findings,
    durationMs: performance.now() - began,
    frames: log.frames,
    ...rest,
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, `not finished within ${deadlineMs} ms`)
  })
  const over = new AbortController()
  const stopped = new Promise<string>((resolve) => {
    const stop = () => {
      resolve(messageOf(signal?.reason))
    }
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { signal: over.signal })
  })
  const full = log.full.then((bytes) => `the peer sent more than ${bytes} bytes`)
  try {
    const done = (async () => run(examination))()
    // A check that is given up may reject later.
    done.catch(() => undefined)
    const reason = await Promise.race([done.then(() => undefined), late, stopped, full])
    if (reason === undefined) return result({ verdict: verdictOf(findings) })
    return result({ verdict: findings.length === 0 ? 'inconclusive' : verdictOf(findings), reason })
  } catch (error) {
    if (!(error instanceof Stopped)) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
      return result({ verdict: 'broken', reason: stack })
    }
    // What was found before the check had to stop counts.
    if (findings.length > 0) return result({ verdict: verdictOf(findings), reason: error.message })
    return result({ verdict: error.code, reason: error.message })
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}
