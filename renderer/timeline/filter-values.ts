const AGO: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** A number with an optional unit (`500`, `1.5s`, `2kB`) in the smallest unit; undefined if it is invalid. */
export function readAmount(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([a-z]*)$/i.exec(text)
  if (match === null) return undefined
  const unit = (match[2] ?? '').toLowerCase()
  const factor = unit === '' ? 1 : Object.hasOwn(units, unit) ? units[unit] : undefined
  return factor === undefined ? undefined : Number(match[1]) * factor
}

/**
 * A time of day of this computer (`21:42:00`, `21:42:00.5`), the last time that minutes and seconds were so
 * (`42:00`), or a time ago (`30s`, `5m`, `2h`); undefined for anything else.
 */
export function readTime(text: string, now: number): number | undefined {
  const ago = /^(\d+(?:\.\d+)?)([smh])$/i.exec(text)
  if (ago !== null) return now - Number(ago[1]) * (AGO[(ago[2] ?? '').toLowerCase()] ?? 0)
  const clock = /^(?:(\d{1,2}):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(text)
  if (clock === null) return undefined
  const [, hours, minutes, seconds] = clock
  if (Number(hours ?? 0) > 23 || Number(minutes) > 59 || Number(seconds) >= 60) return undefined
  const date = new Date(now)
  if (hours !== undefined) date.setHours(Number(hours))
  date.setMinutes(Number(minutes), Math.floor(Number(seconds)), (Number(seconds) % 1) * 1_000)
  // What would be later than now was yesterday, or an hour ago.
  if (date.getTime() > now) date.setTime(date.getTime() - (hours === undefined ? 3_600_000 : 86_400_000))
  return date.getTime()
}
