import { ClientExam } from '../exam/client-exam.ts'
import type { ClientDriver } from '../exam/client-driver.ts'
import { FrameLog } from '../frames/frame-log.ts'
import { USUAL_WAITS } from '../probe/waits.ts'
import type { Cell, CheckResult } from '../verdict.ts'
import { clientInfoOf } from './client-subject.ts'
import { inspectFrames } from './inspect-frames.ts'
import type { RunOptions, RunReport } from './run-options.ts'
import { summaryOf } from './run-checks.ts'
import { selectChecks } from './select-checks.ts'
import { peerOf } from './server-subject.ts'
import { TOUR } from './tour.ts'

/** Milliseconds without a frame after which a client has done what it does. */
const IDLE_MS = 10_000
const LOOK_MS = 50

/** Milliseconds between two looks at what a visitor wrote, while it is shown live. */
const SHOW_MS = 500

/** What becomes of a visit while it goes on. */
export type VisitFollower = {
  /** Milliseconds without a frame after which the visit is over. */
  readonly idleMs: number
  /** Receives what the checks say so far, the methods of all messages in order, and what the client calls itself. */
  readonly onResults: (
    results: readonly CheckResult[],
    methods: readonly string[],
    peer: RunReport['peer'],
  ) => void
}

/**
 * Waits for a client that somebody else starts, and examines what it wrote: checks that read frames run, others would
 * have to start the client. `onAddress` receives where it connects to.
 */
export async function visit(
  options: Omit<RunOptions, 'subject'>,
  cell: Cell,
  onAddress: (url: string) => void,
  follower?: VisitFollower,
): Promise<RunReport> {
  const began = performance.now()
  const log = new FrameLog()
  const seed = options.seed ?? 0
  const exam = new ClientExam({ entry: TOUR, cell, log, driver: NOBODY, waits: USUAL_WAITS, seed })
  await exam.listen()
  try {
    onAddress(exam.server.url)
    const selected = selectChecks(options, cell)
    await visited(exam, log, options, follower?.idleMs ?? IDLE_MS, () => {
      follower?.onResults(
        inspectFrames(selected, cell, log.frames),
        exam.received.flatMap(({ message: { method } }) => (typeof method === 'string' ? [method] : [])),
        peerOf(clientInfoOf(exam)),
      )
    })
    const hasCome = exam.received.length > 0
    const results = hasCome
      ? [
          ...inspectFrames(selected, cell, log.frames),
          ...selected
            .filter(({ check }) => check.type !== 'passive')
            .map(({ entry: { id, title } }) => ({
              id,
              title,
              cell,
              verdict: 'notApplicable' as const,
              reason: 'the client is started for this check: give its command after --',
              findings: [],
              durationMs: 0,
              frames: [],
            })),
        ]
      : []
    const reason = `the client never connected within ${Math.round(performance.now() - began)} ms`
    return {
      seed,
      durationMs: performance.now() - began,
      cells: hasCome ? [cell] : [],
      peer: peerOf(clientInfoOf(exam)),
      unsupported: hasCome ? [] : [{ cell, reason }],
      results,
      summary: summaryOf(results),
    }
  } finally {
    await exam.closeAll()
  }
}

const NOBODY: ClientDriver = {
  name: 'client',
  transports: [],
  revisions: [],
  start: () => Promise.reject(new Error('the client is started by somebody else')),
}

/** Resolves when a client has come and is done, or when the time is over. `onChange`: it wrote something. */
async function visited(
  exam: ClientExam,
  log: FrameLog,
  { budgetMs = Infinity, signal }: Pick<RunOptions, 'budgetMs' | 'signal'>,
  idleMs: number,
  onChange: () => void,
): Promise<void> {
  const until = performance.now() + budgetMs
  let frames = 0
  let shownFrames = 0
  let shownAt = 0
  let quietSince = performance.now()
  while (performance.now() < until && signal?.aborted !== true) {
    if (log.frames.length > frames) {
      frames = log.frames.length
      quietSince = performance.now()
    }
    if (exam.received.length > 0 && performance.now() - quietSince > idleMs) return
    if (exam.received.length > 0 && frames > shownFrames && performance.now() - shownAt > SHOW_MS) {
      shownFrames = frames
      onChange()
      shownAt = performance.now()
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
