import type { TimelineFrame } from './frame.ts'

/** Frames of a failure: the last ones say why. */
const MOST_SHOWN = 14
const LONGEST = 600

/** Frames as text, a line each, for the message of a failure. */
export function framesText(frames: readonly TimelineFrame[], title = 'Frames'): string {
  if (frames.length === 0) return ''
  const shown = frames.slice(-MOST_SHOWN)
  const left = frames.length - shown.length
  const lines = shown.map(frameLine)
  if (left > 0) lines.unshift(`  … ${left} earlier`)
  return `${title}:\n${lines.join('\n')}`
}

/** A frame as one line: when, from whom, what. */
export function frameLine({ at, from, kind, text, http }: TimelineFrame): string {
  const time = `${at.toFixed(1)} ms`.padStart(11)
  const arrow = from === 'client' ? '→' : '←'
  const what = kind === 'message' ? '' : `[${kind}] `
  const head = http?.status === undefined ? '' : `HTTP ${http.status} `
  return `${time} ${arrow} ${head}${what}${shortened(text.trimEnd().replaceAll('\n', '\\n'))}`
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`
}
