/** Milliseconds as a person reads them: `0.2 ms`, `41 ms`, `1.49 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1) return `${ms.toFixed(1)} ms`
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(2)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

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
