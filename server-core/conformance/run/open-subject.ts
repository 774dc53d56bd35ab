import { FrameNumbers } from '../frames/frame-log.ts'
import { USUAL_WAITS } from '../probe/waits.ts'
import { clientSubject } from './client-subject.ts'
import type { RunOptions } from './run-options.ts'
import { serverSubject } from './server-subject.ts'
import { DEADLINE_MS, type SubjectRun } from './subject-run.ts'
import { WorkPool } from './work-pool.ts'

const PARALLEL = 8

/** A peer that was discovered and can be examined, until it is closed. */
export type OpenSubject = {
  readonly options: RunOptions & { readonly seed: number }
  readonly subjectRun: SubjectRun
  readonly pool: WorkPool
  /** Aborted when the run is over. */
  readonly signal: AbortSignal
  /** Ends the checks under way with this reason. */
  readonly abort: (reason: Error) => void
  readonly close: () => Promise<void>
}

/** Settles the options of a run, and discovers what the peer supports. */
export async function openSubject(options: RunOptions): Promise<OpenSubject> {
  const settled = { ...options, seed: options.seed ?? Math.floor(Math.random() * 2 ** 31) }
  const over = new AbortController()
  const limits = {
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    signal: AbortSignal.any([over.signal, ...(options.signal === undefined ? [] : [options.signal])]),
  }
  const parts = {
    options: settled,
    numbers: new FrameNumbers(),
    waits: options.waits ?? USUAL_WAITS,
    limits,
  }
  const { subject } = options
  const timer = budgetTimer(options.budgetMs, over)
  const pool = new WorkPool(options.parallel ?? PARALLEL)
  const subjectRun = await (subject.side === 'server'
    ? serverSubject(subject, parts, pool)
    : clientSubject(subject, parts, pool))
  return {
    options: settled,
    subjectRun,
    pool,
    signal: limits.signal,
    abort: (reason) => {
      over.abort(reason)
    },
    close: () => {
      clearTimeout(timer)
      return subjectRun.close()
    },
  }
}

/** Ends the run when its time is over. */
function budgetTimer(budgetMs: number | undefined, over: AbortController): NodeJS.Timeout | undefined {
  if (budgetMs === undefined) return undefined
  return setTimeout(() => {
    over.abort(new Error(`the run took longer than its ${budgetMs} ms`))
  }, budgetMs)
}
