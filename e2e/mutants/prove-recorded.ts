import { inspectFrames } from '../../server-core/conformance/run/inspect-frames.ts'
import { selectChecks } from '../../server-core/conformance/run/select-checks.ts'
import { isPossible } from '../../server-core/conformance/probe/discover.ts'
import type { Cell, CheckResult } from '../../server-core/conformance/verdict.ts'
import { judge, reachOf, startClock, type MutantOutcome, type ProofOptions } from './judge.ts'
import type { Mutant } from './mutant.ts'
import { isReplayable, replay } from './replay.ts'
import type { Traffic } from './traffic.ts'

/**
 * Whether a mutant can be judged by recorded traffic: its check only reads, its fault only changes what is written, and
 * the traffic of its cells is there.
 */
export async function isProvedByTraffic(
  mutant: Mutant,
  traffic: Traffic,
  options: ProofOptions,
): Promise<boolean> {
  if (!reachOf(mutant, options).entry.passive || !isReplayable(mutant.fault)) return false
  const frames = await Promise.all(cellsOf(mutant, options).map((cell) => traffic.read(cell)))
  return frames.length > 0 && !frames.includes(undefined)
}

/** Makes the fault in recorded traffic of the correct pair, and judges which passive checks report it. */
export async function proveRecorded(
  mutant: Mutant,
  traffic: Traffic,
  options: ProofOptions,
): Promise<MutantOutcome> {
  const clock = startClock()
  const { fault, side } = mutant
  if (!isReplayable(fault)) throw new RangeError(`the fault of ${mutant.id} changes more than messages`)
  const { catalogue } = options
  const checks = options.checks.filter(({ type }) => type === 'passive')
  const results: CheckResult[] = []
  for (const cell of cellsOf(mutant, options)) {
    const frames = await traffic.read(cell)
    if (frames === undefined) continue
    const selected = selectChecks({ catalogue, checks }, cell)
    results.push(...inspectFrames(selected, cell, replay(frames, side, fault.outgoing)))
  }
  return { ...judge(mutant, results, options.proof, 'no traffic is recorded of its cells'), ...clock() }
}

function cellsOf(mutant: Mutant, options: ProofOptions): readonly Cell[] {
  const { revisions, transports } = reachOf(mutant, options)
  return revisions.flatMap((revision) =>
    transports
      .filter((transport) => isPossible(transport, revision))
      .map((transport) => ({ side: mutant.side, revision, transport })),
  )
}
