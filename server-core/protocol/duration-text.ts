/**
 * Milliseconds as a person reads them: `0.2 ms`, `41 ms`, `1.49 s`, `2 min 5 s`. Every place that reports how long
 * something took tells it in these words.
 */
export function durationText(ms: number): string {
  if (ms < 1) return `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_995) return `${(ms / 1_000).toFixed(2)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
