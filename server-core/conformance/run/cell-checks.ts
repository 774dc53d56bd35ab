import { messageOf } from '../../protocol/error-message.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import { FRAME_BYTES } from '../frames/frame-log.ts'
import type { Cell, CheckResult, Verdict } from '../verdict.ts'
import { inspectFrames } from './inspect-frames.ts'
import type { RunOptions } from './run-options.ts'
import { heldBack, type SelectedCheck } from './select-checks.ts'
import type { CellRun } from './subject-run.ts'
import type { WorkPool } from './work-pool.ts'

/** Bytes of frames of one cell that passive checks read at most. */
const CELL_BYTES = 64 * 1024 * 1024

export type CellContext = {
  readonly options: RunOptions
  readonly pool: WorkPool
  /** Aborted with the reason when the run is over. */
  readonly signal: AbortSignal
  /** Called when an active check begins. */
  readonly onStart?: (id: string, cell: Cell) => void
}

/** The checks of one cell. Active ones run when they are asked for; passive ones read what was seen until then. */
export class CellChecks {
  readonly cell: Cell
  readonly #cellRun: CellRun
  readonly #context: CellContext
  readonly #seen: CapturedFrame[] = []
  #bytes = 0
  #tour: Promise<void> | undefined

  constructor(cellRun: CellRun, context: CellContext) {
    this.cell = cellRun.cell
    this.#cellRun = cellRun
    this.#context = context
  }

  /** Uses the peer in an ordinary way, once, for the passive checks. */
  tour(): Promise<void> {
    return (this.#tour ??= this.#context.pool.run(async () => {
      this.#seen.push(...(await this.#cellRun.tour()))
    }))
  }

  /** Runs one active check when the pool has room. */
  run(selected: SelectedCheck): Promise<CheckResult> {
    const { options, pool, signal } = this.#context
    return pool.run(async () => {
      const why = heldBack(selected, options)
      const result = signal.aborted
        ? this.#unexamined(selected, 'inconclusive', messageOf(signal.reason))
        : why === undefined
          ? await this.#repeated(selected)
          : this.#unexamined(selected, 'notApplicable', why)
      this.#bytes += result.frames.reduce((sum, frame) => sum + frame.bytes.length + FRAME_BYTES, 0)
      if (this.#bytes < CELL_BYTES) this.#seen.push(...result.frames)
      return { ...result, frames: keptFrames(result) }
    })
  }

  /** Runs passive checks over the frames that were seen so far. */
  inspect(selected: readonly SelectedCheck[]): readonly CheckResult[] {
    return inspectFrames(selected, this.cell, inOrder(this.#seen))
  }

  /** Runs a check as often as asked; runs that disagree are flaky. */
  async #repeated(selected: SelectedCheck): Promise<CheckResult> {
    const { options, onStart } = this.#context
    onStart?.(selected.entry.id, this.cell)
    const first = await this.#cellRun.run(selected)
    const verdicts = new Set<Verdict>([first.verdict])
    let last = first
    for (let count = 1; count < (options.repeat ?? 1); count += 1) {
      last = await this.#cellRun.run(selected)
      verdicts.add(last.verdict)
    }
    if (verdicts.size === 1) return last
    const reason = `${options.repeat ?? 1} runs came to ${[...verdicts].join(', ')}`
    return { ...last, verdict: 'flaky', reason }
  }

  #unexamined(
    { entry }: SelectedCheck,
    verdict: 'inconclusive' | 'notApplicable',
    reason: string,
  ): CheckResult {
    const { id, title } = entry
    return { id, title, cell: this.cell, verdict, reason, findings: [], durationMs: 0, frames: [] }
  }
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
