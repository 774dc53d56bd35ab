import { useRef, useState, type PointerEvent, type RefObject } from 'react'
import { visibleText } from '../../../../server-core/protocol/visible-text.ts'
import { classes } from '../../../controls/classes.ts'
import { useSize } from '../../../controls/use-size.ts'
import { countText } from '../../../text/measures.ts'
import { SafeText } from '../../../text/safe-text.tsx'
import type { ChartData, Series } from './chart-data.ts'
import styles from './chart.module.css'
import { labelPlaces, tickText, ticksFor, type Ticks } from './scale.ts'
import { chartText } from './text.ts'

export type ChartKind = 'line' | 'bars' | 'points'

const LEFT = 56
const RIGHT = 96
const TOP = 12
const BOTTOM = 26
/** Pixels that a label below the axis takes. */
const LABEL_ROOM = 96
const STEP_ROOM = 44
const LEAST_HEIGHT = 120
const MAX_LABEL = 14
/** Points that are drawn as such; more would run into each other. */
const MAX_MARKED = 120

interface ChartSvgProps {
  data: ChartData
  kind: ChartKind
  /** What the points are over, in words. */
  base: string
  svg: RefObject<SVGSVGElement | null>
}

/** The chart, as large as there is room. The pointer shows the values of a point. */
export function ChartSvg({ data, kind, base, svg }: ChartSvgProps) {
  const box = useRef<HTMLDivElement>(null)
  const size = useSize(box)
  const width = size.width
  const height = Math.max(LEAST_HEIGHT, size.height)
  const [at, setAt] = useState<number | undefined>(undefined)
  const count = data.labels.length
  const numbers = data.series.flatMap(({ values }) => values.filter((value) => value !== undefined))
  const ticks = ticksFor(kind === 'bars' ? [0, ...numbers] : numbers, Math.max(2, height / STEP_ROOM))
  const place = placing(width, height, count, ticks, kind)

  const onPointerMove = (event: PointerEvent<SVGSVGElement>): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    const nearest = Math.round((x - place.x(0)) / place.step)
    setAt(count === 0 ? undefined : Math.max(0, Math.min(count - 1, nearest)))
  }
  return (
    <div ref={box} className={styles.box}>
      {width > 0 && (
        <svg
          ref={svg}
          className={styles.chart}
          viewBox={`0 0 ${String(width)} ${String(height)}`}
          role="img"
          aria-label={labelOf(data, base)}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setAt(undefined)}
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <path
                className={classes(styles.grid, tick === 0 && styles.zero)}
                d={`M${String(LEFT)} ${place.y(tick).toFixed(1)}H${String(width - RIGHT)}`}
              />
              <text x={LEFT - 6} y={place.y(tick) + 4} textAnchor="end">
                {tickText(tick)}
              </text>
            </g>
          ))}
          {labelPlaces(count, Math.max(1, (width - LEFT - RIGHT) / LABEL_ROOM)).map((label) => (
            <text key={label} x={place.x(label)} y={height - 8} textAnchor="middle">
              {shortened(data.labels[label] ?? '')}
            </text>
          ))}
          {at !== undefined && (
            <path
              className={styles.cursor}
              d={`M${place.x(at).toFixed(1)} ${String(TOP)}V${String(height - BOTTOM)}`}
            />
          )}
          {data.series.map((series, order) => (
            <Drawn
              key={series.column}
              series={series}
              order={order}
              of={data.series.length}
              kind={kind}
              place={place}
            />
          ))}
        </svg>
      )}
      {at !== undefined && <Values data={data} at={at} left={place.x(at)} />}
    </div>
  )
}

type Placing = {
  /** Pixels between two points. */
  readonly step: number
  readonly x: (point: number) => number
  readonly y: (value: number) => number
}

function placing(width: number, height: number, count: number, ticks: Ticks, kind: ChartKind): Placing {
  const room = Math.max(1, width - LEFT - RIGHT)
  const isBars = kind === 'bars'
  const step = room / Math.max(1, isBars ? count : count - 1)
  const [least = 0] = ticks
  const greatest = ticks.at(-1) ?? 1
  const scale = (height - TOP - BOTTOM) / (greatest - least || 1)
  return {
    step,
    x: (point) => LEFT + (isBars ? (point + 0.5) * step : point * step),
    y: (value) => height - BOTTOM - (value - least) * scale,
  }
}

interface DrawnProps {
  series: Series
  order: number
  of: number
  kind: ChartKind
  place: Placing
}

/** One series: its own line, mark and colour, and its name at its end. */
function Drawn({ series, order, of, kind, place }: DrawnProps) {
  const look = LOOKS[order % LOOKS.length] ?? 's0'
  const points = series.values.flatMap((value, point) =>
    value === undefined ? [] : [{ point, value, x: place.x(point), y: place.y(value) }],
  )
  const last = points.at(-1)
  if (last === undefined) return null
  const barWidth = Math.max(1, (place.step * 0.8) / of)
  return (
    <g className={styles[look]}>
      {kind === 'line' && <path className={styles.line} d={lineOf(series, place)} />}
      {kind === 'bars' &&
        points.map(({ point, value, x, y }) => {
          const zero = place.y(0)
          return (
            <rect
              key={point}
              className={styles.bar}
              x={x - (barWidth * of) / 2 + order * barWidth}
              y={Math.min(y, zero)}
              width={barWidth}
              height={Math.max(value === 0 ? 1 : 0.5, Math.abs(zero - y))}
            />
          )
        })}
      {(kind === 'points' || (kind === 'line' && points.length <= MAX_MARKED)) &&
        points.map(({ point, x, y }) => <path key={point} className={styles.mark} d={markAt(order, x, y)} />)}
      <text className={styles.name} x={last.x + 8} y={last.y + 4}>
        {shortened(series.name)}
      </text>
    </g>
  )
}

const LOOKS = ['s0', 's1', 's2', 's3'] as const

/** A line breaks where there is no number. */
function lineOf({ values }: Series, place: Placing): string {
  let isDown = false
  return values
    .map((value, point) => {
      if (value === undefined) {
        isDown = false
        return ''
      }
      const command = isDown ? 'L' : 'M'
      isDown = true
      return `${command}${place.x(point).toFixed(1)} ${place.y(value).toFixed(1)}`
    })
    .join('')
}

/** A round, square, pointed or crossed mark, so that colour is not the only difference. */
function markAt(order: number, x: number, y: number): string {
  const at = (dx: number, dy: number): string => `${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`
  switch (order % 4) {
    case 0:
      return `M${at(-2.5, 0)}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z`
    case 1:
      return `M${at(-2.5, -2.5)}h5v5h-5z`
    case 2:
      return `M${at(0, -3.5)}L${at(3.5, 2.5)}L${at(-3.5, 2.5)}z`
    default:
      return `M${at(0, -3.5)}L${at(3.5, 0)}L${at(0, 3.5)}L${at(-3.5, 0)}z`
  }
}

function Values({ data, at, left }: { data: ChartData; at: number; left: number }) {
  return (
    <div className={styles.values} style={{ left: left + 12 }} aria-hidden="true">
      <b>
        <SafeText>{data.labels[at] ?? ''}</SafeText>
      </b>
      {data.series.map((series) => {
        const value = series.values[at]
        return (
          <span key={series.column} className={styles.value}>
            <SafeText>{series.name}</SafeText>
            <span className="mono">{value === undefined ? chartText.chartSvg.none : tickText(value)}</span>
          </span>
        )
      })}
    </div>
  )
}

function labelOf({ series, labels }: ChartData, base: string): string {
  const names = series.map(({ name }) => visibleText(name)).join(', ')
  const ranges = series.map(({ name, values }) => {
    const numbers = values.filter((value) => value !== undefined)
    const least = numbers.reduce((a, b) => Math.min(a, b), Infinity)
    const greatest = numbers.reduce((a, b) => Math.max(a, b), -Infinity)
    return chartText.chartSvg.range(visibleText(name), tickText(least), tickText(greatest))
  })
  return [chartText.chartSvg.label(names, countText(labels.length), visibleText(base)), ...ranges].join('; ')
}

function shortened(text: string): string {
  const visible = visibleText(text)
  return visible.length > MAX_LABEL ? `${visible.slice(0, MAX_LABEL - 1)}…` : visible
}
