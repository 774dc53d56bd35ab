import { secondText, timeText } from '../text/times.ts'
import { timelineText } from './text.ts'

/** The stretch of time that the waterfall shows, in milliseconds. `step` is the distance of its six ticks. */
export interface TimeWindow {
  readonly start: number
  readonly span: number
  readonly step: number
}

/** Ticks in a window. */
export const TICKS = 6

/** Of the window, so much stays free: at its end for labels and for time to go on, at its start for marks. */
const FREE_SHARE = 0.08
const START_SHARE = 0.025

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR),
]

/** The window of round steps that holds everything from `from` to `to` and some room after it. */
export function timeWindow(from: number, to: number): TimeWindow {
  const fits = (step: number): boolean => startFor(from, step) + step * TICKS * (1 - FREE_SHARE) >= to
  let step = STEPS.find(fits) ?? DAY
  while (!fits(step)) step *= 2
  return { start: startFor(from, step), span: step * TICKS, step }
}

/** The place of a time in the window as a share: 0 is its left end, 1 its right end. */
export function placeIn(window: TimeWindow, at: number): number {
  return (at - window.start) / window.span
}

/** What the ruler says at its ticks: the time of day at the first, then the distance from it. */
export function tickLabels(window: TimeWindow): readonly string[] {
  return Array.from({ length: TICKS }, (_, index) =>
    index === 0 ? startText(window) : `+${spanText(index * window.step)}`,
  )
}

/** `30 seconds`, for the accessible name of the waterfall. */
export function windowName({ span }: TimeWindow): string {
  if (span < SECOND) return timelineText.timeWindow.milliseconds(span)
  if (span < 2 * MINUTE) return timelineText.timeWindow.seconds(round(span / SECOND))
  if (span < 2 * HOUR) return timelineText.timeWindow.minutes(round(span / MINUTE))
  return span < 2 * DAY
    ? timelineText.timeWindow.hours(round(span / HOUR))
    : timelineText.timeWindow.days(round(span / DAY))
}

function startText({ start, step }: TimeWindow): string {
  return step < SECOND ? timeText(start) : secondText(start)
}

function startFor(from: number, step: number): number {
  return Math.floor((from - step * TICKS * START_SHARE) / step) * step
}

function spanText(ms: number): string {
  if (ms < SECOND) return `${ms} ms`
  if (ms < MINUTE) return `${round(ms / SECOND)} s`
  if (ms < HOUR) return timelineText.timeWindow.min(round(ms / MINUTE))
  return ms < DAY ? `${round(ms / HOUR)} h` : `${round(ms / DAY)} d`
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}
