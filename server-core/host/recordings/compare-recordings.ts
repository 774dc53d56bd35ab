import type { z } from 'zod'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { compareCalls, type ComparedCall } from '../../comparison/compare-calls.ts'
import { recordedCalls, type RecordedCall } from '../../comparison/recorded-calls.ts'
import type { RecordingView } from '../../recordings/recording-view.ts'
import type {
  ComparedCallData,
  compareRecordingsInputSchema,
  RecordingsComparison,
} from '../contract/recordings.ts'
import { HostError } from '../host-error.ts'

const MOST_CALLS = 2_000
/** Longer recordings would keep the host from other work for too long. */
const MOST_BYTES = 64 * 1_024 * 1_024

/** Aligns the calls of two recordings and compares each pair. Returns those that differ. */
export async function compareRecordings(
  before: RecordingView,
  after: RecordingView,
  { ignore, exact }: Pick<z.output<typeof compareRecordingsInputSchema>, 'ignore' | 'exact'>,
): Promise<RecordingsComparison> {
  const calls = compareCalls(await callsOf(before), await callsOf(after), { ignore, exact })
  const both = calls.filter((call) => call.type === 'both')
  const changed = both.filter(({ comparison }) => comparison.changes.length > 0).length
  const differing = calls.filter(
    (call) => call.type !== 'both' || call.moved || call.comparison.changes.length > 0,
  )
  return {
    same: both.length - changed,
    changed,
    moved: both.filter(({ moved }) => moved).length,
    onlyBefore: calls.filter(({ type }) => type === 'before').length,
    onlyAfter: calls.filter(({ type }) => type === 'after').length,
    calls: differing.slice(0, MOST_CALLS).map(dataOf),
    more: Math.max(0, differing.length - MOST_CALLS),
  }
}

async function callsOf(view: RecordingView): Promise<RecordedCall[]> {
  if (view.bytes > MOST_BYTES)
    throw new HostError(
      'TOO_LARGE',
      'A recording is larger than 64 MiB, the most that is compared here. Use patchbay diff.',
    )
  try {
    return await recordedCalls(view)
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error
    throw new HostError('TOO_LARGE', error.message, { cause: error })
  }
}

function dataOf(call: ComparedCall): ComparedCallData {
  const named = call.type === 'before' ? call.before : call.after
  return {
    method: named.method,
    target: named.target,
    direction: named.direction,
    moved: call.type === 'both' && call.moved,
    changes: call.type === 'both' ? call.comparison.changes.length + call.comparison.more : 0,
    volatile: call.type === 'both' ? call.comparison.volatile.length : 0,
    ...(call.type !== 'after' && { before: sideOf(call.before) }),
    ...(call.type !== 'before' && { after: sideOf(call.after) }),
  }
}

function sideOf({ frame, answerFrame, durationMs }: RecordedCall): NonNullable<ComparedCallData['before']> {
  return {
    frames: answerFrame === undefined ? [frame] : [frame, answerFrame],
    ...(durationMs !== undefined && { durationMs }),
  }
}
