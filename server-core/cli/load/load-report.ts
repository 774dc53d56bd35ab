import type { Bucket, Estimate, LoadStatistics } from '../../load/load-statistics.ts'
import type { LoadVerdict } from '../../load/load-verdict.ts'
import { plural } from '../../protocol/plural.ts'
import type { Paint } from '../output/paint.ts'

/** What one server measured. */
export type MeasuredLoad = {
  readonly answered: number
  /** Failed calls by kind. */
  readonly errors: Readonly<Record<string, number>>
  readonly callsPerSecond: number
  /** Missing if no call was answered. */
  readonly milliseconds?: LoadStatistics
  readonly histogram: readonly Bucket[]
}

/** What `patchbay load` measured, as `--json` prints it. */
export type LoadReport = MeasuredLoad & {
  readonly verdict: 'passed' | 'failed' | 'no-decision'
  readonly clients: number
  readonly inFlight: number
  readonly limits: readonly (LoadVerdict & {
    readonly limit: 'max-p95' | 'max-ratio' | 'max-errors'
    readonly value: number
  })[]
  readonly baseline?: MeasuredLoad
  /** The median of each round as a multiple of the baseline's. */
  readonly ratio?: Estimate
  /** Why the measurement is unsteady. */
  readonly noise?: string
}

/** Characters of the longest bar. */
const LONGEST_BAR = 40

/** A report for people. */
export function describeLoad(report: LoadReport, paint: Paint): string {
  const { clients, inFlight, baseline, ratio, limits, noise } = report
  return [
    `${plural(clients, 'client')}, ${inFlight} in flight each`,
    ...measuredLines(report),
    ...(baseline === undefined ? [] : ['', 'Baseline', ...measuredLines(baseline)]),
    ...(ratio === undefined
      ? []
      : [`ratio  ${ratio.value.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`]),
    ...(noise === undefined ? [] : ['', noise]),
    ...limits.map((each) => {
      const line = `${each.type === 'passed' ? ' ' : '!'} ${each.limit} ${each.value}: ${each.type === 'no-decision' ? `no decision, ${each.reason}` : each.type}`
      return each.type === 'failed'
        ? paint('red', line)
        : each.type === 'no-decision'
          ? paint('yellow', line)
          : line
    }),
  ].join('\n')
}

function measuredLines({
  answered,
  errors,
  callsPerSecond,
  milliseconds,
  histogram,
}: MeasuredLoad): string[] {
  const most = Math.max(1, ...histogram.map(({ count }) => count))
  const width = String(most).length
  return [
    `${plural(answered, 'answer')}, ${callsPerSecond.toFixed(0)} per second`,
    ...Object.entries(errors).map(([kind, count]) => `! ${count} × ${kind}`),
    ...(milliseconds === undefined
      ? []
      : (['p50', 'p90', 'p95', 'p99'] as const).map((name) => {
          const { value, low, high } = milliseconds[name]
          return `${name}  ${value.toFixed(2)} ms (${low.toFixed(2)} to ${high.toFixed(2)})`
        })),
    ...histogram.map(
      ({ to, count }) =>
        `  < ${String(to).padEnd(9)} ms  ${String(count).padStart(width)} ${'█'.repeat(Math.ceil((count / most) * LONGEST_BAR))}`,
    ),
  ]
}
