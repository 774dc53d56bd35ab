/** Values along an axis, the first and the last of which are its ends. */
export type Ticks = readonly number[]

const STEPS = [1, 2, 2.5, 5, 10]
const SMALLEST = 1e-300

/**
 * Round values from below the least to above the greatest of these.
 *
 * @param wanted about how many steps there are between them
 */
export function ticksFor(values: readonly number[], wanted: number): Ticks {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity)
  const greatest = values.reduce((a, b) => Math.max(a, b), -Infinity)
  if (!Number.isFinite(least) || !Number.isFinite(greatest)) return [0, 1]
  const apart = greatest - least || Math.abs(greatest)
  // Steps between the smallest numbers there are would be zero.
  const room = apart < SMALLEST ? 1 : apart
  if (!Number.isFinite(room)) return [least, greatest]
  const power = 10 ** Math.floor(Math.log10(room / wanted))
  const step = power * (STEPS.find((each) => each * power >= room / wanted) ?? 10)
  const first = Math.floor(least / step)
  const last = Math.max(first + 1, Math.ceil(greatest / step))
  return Array.from({ length: last - first + 1 }, (_, place) => rounded((first + place) * step))
}

/** Without the digits that adding steps brings. */
function rounded(value: number): number {
  return Number(value.toPrecision(15))
}

/** A value as it is written at an axis, with a real minus. */
export function tickText(value: number): string {
  const isLong = Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-4)
  return (isLong ? value.toExponential(1) : String(value)).replace('-', '−')
}

/** The places of at most so many labels, evenly apart, the first among them. */
export function labelPlaces(count: number, most: number): readonly number[] {
  const step = Math.max(1, Math.ceil(count / most))
  return Array.from({ length: Math.ceil(count / step) }, (_, place) => place * step)
}
