import type { ScriptLogLine } from '../../server-core/host/contract/registry.ts'
import { timeText } from '../text/times.ts'

/** The kept lines and the new ones, each once and in their order. */
export function mergedLog(
  kept: readonly ScriptLogLine[],
  news: readonly ScriptLogLine[],
  file: string | undefined,
): readonly ScriptLogLine[] {
  const last = kept.at(-1)?.id ?? Number.NEGATIVE_INFINITY
  const later = news.filter((line) => line.id > last && (file === undefined || line.file === file))
  return later.length === 0 ? kept : [...kept, ...later]
}

/** The lines as text to paste elsewhere. */
export function logText(lines: readonly ScriptLogLine[]): string {
  return lines
    .map(({ at, file, revision, kind, text }) => `${timeText(at)} ${file} rev ${revision} ${kind} ${text}\n`)
    .join('')
}
