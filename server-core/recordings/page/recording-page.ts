import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Redaction } from '../../capture/redaction.ts'
import type { RecordedComment, RecordedMark } from '../../capture/recording/recording-format.ts'
import { plural } from '../../protocol/plural.ts'
import { RecordingView } from '../recording-view.ts'
import { rowsOfFrames } from '../rows-of-frames.ts'
import { viewRecorded } from '../view-recorded.ts'
import { PAGE_SCRIPT } from './page-script.ts'
import { PAGE_STYLE } from './page-style.ts'

/** A browser shows a page of this size at once. */
const MOST_BYTES = 64 * 1024 * 1024
const BATCH = 2_000
const OWNER_ONLY = 0o600

export type PageOptions = {
  readonly title: string
  /** Bytes of frames that a page may have; of more the newest are left out, and the page says so. */
  readonly bytes?: number
  /** Secrets that are masked beside those that were masked as it was recorded. */
  readonly redaction?: Redaction
}

/**
 * One HTML file with a recording: timeline, marks, frames, search. It works offline, asks nothing of the network, and shows
 * whatever the recording has as text.
 */
export async function recordingPage(
  view: RecordingView,
  { title, bytes = MOST_BYTES, redaction = new Redaction() }: PageOptions,
): Promise<string> {
  const frames = []
  const problems = [...view.problems]
  let length = 0
  for (let first = 0; first < view.frames && length < bytes; first += BATCH) {
    const count = Math.min(BATCH, view.frames - first)
    for (const frame of await view.read(Array.from({ length: count }, (_, place) => first + place))) {
      length += frame.bytes.length
      if (length < bytes) frames.push(frame)
    }
  }
  if (length >= bytes)
    problems.push(
      `only the first ${frames.length} of ${view.frames} frames are in this page: the recording is too long for one`,
    )
  const notes = await view.notes()
  for (const note of notes)
    if (note.type === 'gap')
      problems.push(`${note.frames} frames are missing from ${new Date(note.from).toISOString()} on`)
  const marks = notes.flatMap((note) => (note.type === 'gap' ? [] : [markRow(note)]))
  const rows = [...rowsOfFrames(frames), ...marks].sort((a, b) => a.startedAt - b.startedAt)
  const data = {
    title,
    startedAt: view.startedAt,
    summary: `${plural(view.frames, 'frame')}, ${plural(view.errors, 'error')}${view.isClosed ? '' : ', without an end'}`,
    problems,
    rows,
    frames: frames.map((frame) => viewRecorded(frame, true, redaction)),
  }
  return pageOf(data)
}

/** Writes the page of a recording, a file or a folder, to a file. */
export async function writeRecordingPage(place: string, file: string, options: PageOptions): Promise<void> {
  await writeFile(file, await recordingPage(await RecordingView.open(place), options), { mode: OWNER_ONLY })
}

/** A mark or a comment as a row of the timeline. */
type MarkRow = {
  readonly kind: 'mark'
  readonly startedAt: number
  readonly method: string
  readonly label: string
} & Pick<Partial<RecordedMark>, 'check' | 'verdict' | 'text'>

function markRow(note: RecordedMark | RecordedComment): MarkRow {
  const { at: startedAt } = note
  if (note.type === 'comment')
    return { kind: 'mark', startedAt, method: 'Comment', label: '', text: note.text }
  const { name, phase, type: _type, at: _at, ...found } = note
  const method = phase === 'begin' ? 'Begin' : phase === 'end' ? 'End' : 'Mark'
  return { kind: 'mark', startedAt, method, label: [name, note.verdict].filter(Boolean).join('  '), ...found }
}

function pageOf(data: unknown): string {
  // Within a script element only this character could end it or begin a comment.
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  const hash = createHash('sha256').update(PAGE_SCRIPT).digest('base64')
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>Patchbay recording</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1></h1><span id="summary"></span>
<form id="search-form" role="search"><label><input type="checkbox" id="errors"> Errors only</label>
<input type="search" id="search" placeholder="Search" aria-label="Search"><span id="count" role="status"></span></form></header>
<ul id="problems" aria-label="Problems"></ul>
<main><div id="rows" role="listbox" aria-label="Timeline" tabindex="0"></div><article id="detail" tabindex="0" aria-label="Frames"></article></main>
<script type="application/json" id="data">${json}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`
}
