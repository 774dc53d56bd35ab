function padded(value: number, length = 2): string {
  return String(value).padStart(length, '0')
}

/** The time of day of this computer to the second: `14:03:22`. */
export function secondText(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => padded(part)).join(':')
}

/** The time of day of this computer: `14:03:22.451`. */
export function timeText(at: number): string {
  return `${secondText(at)}.${padded(new Date(at).getMilliseconds(), 3)}`
}

/** The day of this computer: `2026-11-23`. */
export function dayText(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`
}
