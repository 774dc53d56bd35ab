/** Bytes in units of 1,000: `163 B`, `1.2 kB`, `5.0 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

const whole = new Intl.NumberFormat('en-GB')

/** A count with its thousands apart: `3,108`. */
export function countText(count: number): string {
  return whole.format(count)
}

/** A count with its noun: `1 tool`, `2 tools`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
}
