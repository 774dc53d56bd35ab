import type { CapturedFrame } from '../frames/captured-frame.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { FRAME_BYTES, FrameNumbers } from '../frames/frame-log.ts'
import { USUAL_WAITS } from '../probe/waits.ts'
import { VERDICTS, type Cell, type CheckResult, type Verdict } from '../verdict.ts'
import { clientSubject } from './client-subject.ts'
import { EventQueue } from './event-queue.ts'
import { heldBack, selectChecks, type SelectedCheck } from './select-checks.ts'
import { inspectFrames } from './inspect-frames.ts'
import { serverSubject } from './server-subject.ts'
import type { RunEvent, RunOptions, RunReport, Summary } from './run-options.ts'
import { DEADLINE_MS, type CellRun } from './subject-run.ts'
import { WorkPool } from './work-pool.ts'

/** A run under way: its events in order, and its report. */
export type ConformanceRun = AsyncIterable<RunEvent> & { readonly report: Promise<RunReport> }

const PARALLEL = 8
/** Bytes of frames of one cell that passive checks read at most. */
const CELL_BYTES = 64 * 1024 * 1024

/**
 * Runs checks against a server or a client, cell by cell. Active checks run in parallel within a limit; passive ones
 * then read the frames of their cell.
 */
export function runChecks(options: RunOptions): ConformanceRun {
  const queue = new EventQueue<RunEvent>()
  const report = run(options, queue).finally(() => {
    queue.end()
  })
  // Whoever reads the events alone must not be ended by an unhandled rejection.
  report.catch(() => undefined)
  return { report, [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator]() }
}

async function run(options: RunOptions, queue: EventQueue<RunEvent>): Promise<RunReport> {
  const began = performance.now()
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
  try {
    const selections = subjectRun.cells.map((each) => ({ each, selected: selectChecks(settled, each.cell) }))
    const total = selections.reduce((sum, { selected }) => sum + selected.length, 0)
    const cells = subjectRun.cells.map(({ cell }) => cell)
    queue.push({ type: 'discovered', cells, total })
    const context = { options: settled, queue, pool, signal: limits.signal }
    const perCell = await Promise.all(
      selections.map(({ each, selected }) => runCell(each, selected, context)),
    )
    const results = perCell.flat()
    const report: RunReport = {
      seed: settled.seed,
      durationMs: performance.now() - began,
      cells,
      peer: subjectRun.peer(),
      unsupported: subjectRun.unsupported,
      results,
      summary: summaryOf(results),
    }
    queue.push({ type: 'ended', report })
    return report
  } finally {
    clearTimeout(timer)
    await subjectRun.close()
  }
}

type Context = {
  readonly options: RunOptions
  readonly queue: EventQueue<RunEvent>
  readonly pool: WorkPool
  readonly signal: AbortSignal
}

async function runCell(
  cellRun: CellRun,
  selected: readonly SelectedCheck[],
  context: Context,
): Promise<readonly CheckResult[]> {
  const { options, queue, pool, signal } = context
  const passiveChecks = selected.filter(({ check }) => check.type === 'passive')
  const seen: CapturedFrame[] = passiveChecks.length === 0 ? [] : [...(await pool.run(cellRun.tour))]
  let bytes = 0
  const active = selected.filter(({ check }) => check.type !== 'passive')
  const results = await Promise.all(
    active.map((each) =>
      pool.run(async () => {
        const { cell } = cellRun
        const why = heldBack(each, options)
        const result = signal.aborted
          ? unexamined(each, cell, 'inconclusive', messageOf(signal.reason))
          : why === undefined
            ? await repeated(each, cellRun, context)
            : unexamined(each, cell, 'notApplicable', why)
        bytes += result.frames.reduce((sum, frame) => sum + frame.bytes.length + FRAME_BYTES, 0)
        if (bytes < CELL_BYTES) seen.push(...result.frames)
        const kept = { ...result, frames: keptFrames(result) }
        queue.push({ type: 'finished', result: kept })
        return kept
      }),
    ),
  )
  const passive = inspectFrames(passiveChecks, cellRun.cell, inOrder(seen))
  for (const result of passive) queue.push({ type: 'finished', result })
  return [...results, ...passive]
}

/** Frames in the order in which they were seen, each once: checks that share a connection repeat its beginning. */
function inOrder(frames: readonly CapturedFrame[]): readonly CapturedFrame[] {
  const byIndex = new Map(frames.map((frame) => [frame.index, frame]))
  return [...byIndex.values()].toSorted((a, b) => a.index - b.index)
}

/** Frames before and after those that findings name. */
const AROUND = 20
/** Frames of one check that a report keeps. */
const MOST_KEPT = 1_000

/** The frames that explain a result, so that a run of many checks stays small. */
function keptFrames({ findings, verdict, frames }: CheckResult): readonly CapturedFrame[] {
  if (findings.length === 0 && verdict !== 'broken') return []
  if (frames.length <= MOST_KEPT) return frames
  const named = new Set(findings.flatMap((finding) => finding.frames))
  const near = frames.map(({ index }, at) => (named.has(index) ? at : -1)).filter((at) => at >= 0)
  const kept = near.length === 0 ? [frames.length - 1] : near
  return frames.filter((_, at) => kept.some((each) => Math.abs(each - at) <= AROUND)).slice(0, MOST_KEPT)
}

/** Runs a check as often as asked; runs that disagree are flaky. */
async function repeated(
  selected: SelectedCheck,
  cellRun: CellRun,
  { options, queue }: Context,
): Promise<CheckResult> {
  queue.push({ type: 'started', id: selected.entry.id, cell: cellRun.cell })
  const first = await cellRun.run(selected)
  const verdicts = new Set<Verdict>([first.verdict])
  let last = first
  for (let count = 1; count < (options.repeat ?? 1); count += 1) {
    last = await cellRun.run(selected)
    verdicts.add(last.verdict)
  }
  if (verdicts.size === 1) return last
  const reason = `${options.repeat ?? 1} runs came to ${[...verdicts].join(', ')}`
  return { ...last, verdict: 'flaky', reason }
}

/** Ends the run when its time is over. */
function budgetTimer(budgetMs: number | undefined, over: AbortController): NodeJS.Timeout | undefined {
  if (budgetMs === undefined) return undefined
  return setTimeout(() => {
    over.abort(new Error(`the run took longer than its ${budgetMs} ms`))
  }, budgetMs)
}

function unexamined(
  { entry }: SelectedCheck,
  cell: Cell,
  verdict: 'inconclusive' | 'notApplicable',
  reason: string,
): CheckResult {
  return { id: entry.id, title: entry.title, cell, verdict, reason, findings: [], durationMs: 0, frames: [] }
}

/** How many results there are of each verdict. */
export function summaryOf(results: readonly CheckResult[]): Summary {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>
}
