import { messageOf } from '../../protocol/error-message.ts'
import { Stopped, type Examination } from '../examination.ts'
import { verdictOf, type CheckResult } from '../verdict.ts'

/** Runs the code of one check within its deadline and gives the result. Never throws. */
export async function examine<Kind extends Examination>(
  examination: Kind,
  run: (examination: Kind) => Promise<void> | void,
  deadlineMs: number,
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
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, 'late')
  })
  try {
    const done = (async () => run(examination))()
    // A check that is given up may reject later.
    done.catch(() => undefined)
    const end = await Promise.race([done, late])
    if (end === 'late' && findings.length === 0)
      return result({ verdict: 'inconclusive', reason: `not finished within ${deadlineMs} ms` })
    return result({ verdict: verdictOf(findings) })
  } catch (error) {
    if (!(error instanceof Stopped)) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
      return result({ verdict: 'broken', reason: stack })
    }
    // What was found before the check had to stop counts.
    if (findings.length > 0) return result({ verdict: verdictOf(findings), reason: error.message })
    return result({ verdict: error.verdict, reason: error.message })
  } finally {
    clearTimeout(timer)
  }
}
