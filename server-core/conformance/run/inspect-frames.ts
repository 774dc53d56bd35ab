import { messageOf } from '../../protocol/error-message.ts'
import { FrameLog } from '../frames/frame-log.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import { Stopped } from '../examination.ts'
import { messagesOf, Transcript } from '../passive/transcript.ts'
import { verdictOf, type Cell, type CheckResult } from '../verdict.ts'
import type { SelectedCheck } from './select-checks.ts'

/** Runs passive checks over the frames of one cell: of a run, a recording or the live timeline. Never throws. */
export function inspectFrames(
  selected: readonly SelectedCheck[],
  cell: Cell,
  frames: readonly CapturedFrame[],
): readonly CheckResult[] {
  const messages = messagesOf(frames, cell.revision)
  const byIndex = new Map(frames.map((frame) => [frame.index, frame]))
  return selected.flatMap(({ check, entry }): CheckResult[] => {
    if (check.type !== 'passive') return []
    const transcript = new Transcript(entry, cell, frames, new FrameLog(), messages)
    const began = performance.now()
    const result = (rest: Pick<CheckResult, 'verdict'> & { reason?: string }): CheckResult => ({
      id: entry.id,
      title: entry.title,
      cell,
      findings: transcript.findings,
      durationMs: performance.now() - began,
      frames: transcript.findings.flatMap((finding) =>
        finding.frames.flatMap((index) => byIndex.get(index) ?? []),
      ),
      ...rest,
    })
    try {
      check.inspect(transcript)
    } catch (error) {
      if (error instanceof Stopped) return [result({ verdict: error.code, reason: error.message })]
      const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
      return [result({ verdict: 'broken', reason: stack })]
    }
    if (transcript.seen === 0 && transcript.findings.length === 0)
      return [result({ verdict: 'inconclusive', reason: entry.inconclusive })]
    return [result({ verdict: verdictOf(transcript.findings) })]
  })
}
