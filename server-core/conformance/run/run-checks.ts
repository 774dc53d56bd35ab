import { VERDICTS, type CheckResult, type Verdict } from '../verdict.ts'
import { CellChecks } from './cell-checks.ts'
import { EventQueue } from './event-queue.ts'
import { openSubject } from './open-subject.ts'
import { selectChecks, type SelectedCheck } from './select-checks.ts'
import type { RunEvent, RunOptions, RunReport, Summary } from './run-options.ts'

/** A run under way: its events in order, and its report. */
export type ConformanceRun = AsyncIterable<RunEvent> & { readonly report: Promise<RunReport> }

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

async function run(given: RunOptions, queue: EventQueue<RunEvent>): Promise<RunReport> {
  const began = performance.now()
  const subject = await openSubject(given)
  const { options, pool, signal, subjectRun } = subject
  try {
    const selections = subjectRun.cells.map((each) => ({ each, selected: selectChecks(options, each.cell) }))
    const total = selections.reduce((sum, { selected }) => sum + selected.length, 0)
    const cells = subjectRun.cells.map(({ cell }) => cell)
    queue.push({ type: 'discovered', cells, total })
    const onStart = (id: string, cell: RunReport['cells'][number]) => {
      queue.push({ type: 'started', id, cell })
    }
    const perCell = await Promise.all(
      selections.map(({ each, selected }) =>
        runCell(new CellChecks(each, { options, pool, signal, onStart }), selected, queue),
      ),
    )
    const results = perCell.flat()
    const report: RunReport = {
      seed: options.seed,
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
    await subject.close()
  }
}

async function runCell(
  checks: CellChecks,
  selected: readonly SelectedCheck[],
  queue: EventQueue<RunEvent>,
): Promise<readonly CheckResult[]> {
  const finished = (result: CheckResult): CheckResult => {
    queue.push({ type: 'finished', result })
    return result
  }
  const passive = selected.filter(({ check }) => check.type === 'passive')
  if (passive.length > 0) await checks.tour()
  const active = selected.filter(({ check }) => check.type !== 'passive')
  const results = await Promise.all(active.map(async (each) => finished(await checks.run(each))))
  return [...results, ...checks.inspect(passive).map(finished)]
}

/** How many results there are of each verdict. */
export function summaryOf(results: readonly CheckResult[]): Summary {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>
}
