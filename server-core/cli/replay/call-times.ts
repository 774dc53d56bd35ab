import { percentileOf } from '../../protocol/percentile.ts'
import type { SentCall } from '../../replay/client-side/send-plan.ts'

/** How long the calls of one target took, in milliseconds. */
export type CallTimes = {
  readonly method: string
  readonly target: string
  readonly calls: number
  /** The median of the recording; missing if it has no answer. */
  readonly recordedMs?: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly maxMs: number
}

/** Returns the times of the answered calls of replays, by what was called; the slowest first. */
export function callTimes(sent: readonly SentCall[]): readonly CallTimes[] {
  const groups = new Map<string, SentCall[]>()
  for (const one of sent) {
    if (one.outcome.type !== 'answered' || one.call.kind !== 'request') continue
    const key = `${one.call.method} ${one.call.target}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return [...groups.values()]
    .flatMap((group): CallTimes[] => {
      const [first] = group
      if (first === undefined) return []
      const times = group.map(({ durationMs }) => durationMs).sort((one, other) => one - other)
      const recorded = group
        .flatMap(({ call }) => (call.durationMs === undefined ? [] : [call.durationMs]))
        .sort((one, other) => one - other)
      return [
        {
          method: first.call.method,
          target: first.call.target,
          calls: group.length,
          ...(recorded.length > 0 && { recordedMs: rounded(percentileOf(recorded, 50)) }),
          p50Ms: rounded(percentileOf(times, 50)),
          p95Ms: rounded(percentileOf(times, 95)),
          maxMs: rounded(times.at(-1) ?? 0),
        },
      ]
    })
    .sort((one, other) => other.p50Ms - one.p50Ms)
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
