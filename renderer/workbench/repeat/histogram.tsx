import { durationText } from '../../../server-core/protocol/duration-text.ts'
import { countText } from '../../text/measures.ts'
import { tickText, ticksFor } from '../results/chart/scale.ts'
import styles from './repeat.module.css'
import { histogramOf, type Durations, type RepeatedCall } from './repeat-statistics.ts'
import { repeatText } from './text.ts'

const COLUMNS = 30
const [WIDTH, HEIGHT] = [660, 170]
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 16, 22, 20]
/** Columns between two labels of the axis. */
const LABEL_EVERY = 5
/** Pixels that the label of a percentile takes. */
const LABEL_WIDTH = 84

interface HistogramProps {
  calls: readonly RepeatedCall[]
  durations: Durations
}

/** How many calls took how long, with the percentiles as lines. */
export function Histogram({ calls, durations }: HistogramProps) {
  const bins = histogramOf(calls, COLUMNS)
  const ticks = ticksFor([0, ...bins.map(({ count }) => count)], 3).filter(Number.isInteger)
  const most = ticks.at(-1) ?? 1
  const end = bins.at(-1)?.to ?? 1
  const x = (ms: number): number => LEFT + (ms / end) * (WIDTH - LEFT - RIGHT)
  const y = (count: number): number => HEIGHT - BOTTOM - (count / most) * (HEIGHT - TOP - BOTTOM)
  return (
    <svg
      className={styles.histogram}
      viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
      role="img"
      aria-label={repeatText.histogram.label(
        countText(calls.length),
        durationText(durations.least),
        durationText(durations.greatest),
      )}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <path
            className={styles.grid}
            d={`M${String(LEFT)} ${y(tick).toFixed(1)}H${String(WIDTH - RIGHT)}`}
          />
          <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
            {tickText(tick)}
          </text>
        </g>
      ))}
      {bins.map(({ from, to, count }, place) => (
        <g key={from}>
          {count > 0 && (
            <rect
              className={styles.column}
              x={x(from) + 0.5}
              y={y(count)}
              width={Math.max(1, x(to) - x(from) - 1)}
              height={y(0) - y(count)}
            >
              <title>
                {repeatText.histogram.column(durationText(from), durationText(to), countText(count))}
              </title>
            </rect>
          )}
          {place % LABEL_EVERY === 0 && (
            <text x={x(from)} y={HEIGHT - 5} textAnchor="middle">
              {durationText(from)}
            </text>
          )}
        </g>
      ))}
      <Percentiles durations={durations} x={x} />
    </svg>
  )
}

/** Lines for percentiles; those whose label would run into the one before have none. */
function Percentiles({ durations, x }: { durations: Durations; x: (ms: number) => number }) {
  let labelledTo = 0
  return (['p50', 'p90', 'p95', 'p99'] as const).map((name) => {
    const at = x(durations[name])
    const isAtEnd = at > WIDTH - LABEL_WIDTH - RIGHT
    const labelFrom = isAtEnd ? at - LABEL_WIDTH : at
    const hasLabel = labelFrom >= labelledTo
    if (hasLabel) labelledTo = labelFrom + LABEL_WIDTH
    return (
      <g key={name}>
        <path
          className={styles.percentile}
          d={`M${at.toFixed(1)} ${String(TOP - 8)}V${String(HEIGHT - BOTTOM)}`}
        />
        {hasLabel && (
          <text
            className={styles.label}
            x={at + (isAtEnd ? -4 : 4)}
            y={TOP - 8}
            textAnchor={isAtEnd ? 'end' : 'start'}
          >
            {name} {durationText(durations[name])}
          </text>
        )}
      </g>
    )
  })
}
