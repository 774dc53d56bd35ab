import { readFile, writeFile } from 'node:fs/promises'
import { FrameLines, type ConnectionLines, type Masks } from '../../capture/recording/frame-lines.ts'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { FORMAT, VERSION } from '../../capture/recording/recording-format.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { importHar, isHar } from './har-import.ts'
import { importHttpFile, isHttpFile } from './http-file-import.ts'
import { parsedJson, type ImportedFrame, type ImportedTraffic } from './imported-traffic.ts'
import { importJsonLines } from './json-lines-import.ts'
import { importOtlp, isOtlp } from './otlp-import.ts'

const OWNER_ONLY = 0o600
const MICROS = 1_000
/** Times before and after these are errors of the file. */
const FIRST_TIME = Date.UTC(1990, 0)
const LAST_TIME = Date.UTC(2100, 0)
/** Bytes at the start of a file that say what it is. */
const FIRST_BYTES = 4_096

export type Imported = {
  /** What the file was. */
  readonly format: 'HAR' | 'OTLP/JSON' | 'JSON lines' | '.http'
  /** What the format does not have, and what was left out. */
  readonly notes: readonly string[]
}

/** Whether bytes are, or claim to be, a recording of our own. */
export function isOwnFormat(bytes: Buffer): boolean {
  const [first = ''] = bytes.subarray(0, FIRST_BYTES).toString().split('\n')
  const value = parsedJson(first)
  return isJsonObject(value) && value['format'] === FORMAT
}

/**
 * Writes a recording of a file of another tool: HAR, OTLP/JSON, JSON lines or `.http`. Secrets are masked as in recordings.
 * Nothing in the file is run or requested.
 *
 * @param name the name of the file, for errors
 * @throws RecordingError `no-recording` that says what was expected
 */
export async function importForeign(
  source: string,
  target: string,
  name: string,
  redaction: Masks,
): Promise<Imported> {
  const text = (await readFile(source)).toString().replace(/^\uFEFF/, '')
  const { format, traffic } = readForeign(text, name)
  if (traffic.frames.length === 0)
    throw new RecordingError(
      'no-recording',
      `${name} is ${format} without MCP messages${traffic.notes.length === 0 ? '' : `: ${traffic.notes.join('; ')}`}`,
    )
  await writeFile(target, recordingOf(traffic.frames, redaction), { mode: OWNER_ONLY })
  return { format, notes: traffic.notes }
}

function readForeign(
  text: string,
  name: string,
): { readonly format: Imported['format']; readonly traffic: ImportedTraffic } {
  const whole = parsedJson(text)
  if (isHar(whole)) return { format: 'HAR', traffic: importHar(whole) }
  if (isOtlp(whole)) return { format: 'OTLP/JSON', traffic: importOtlp(whole) }
  if (isHttpFile(text)) {
    const requests = importHttpFile(text)
    if (requests.frames.length > 0) return { format: '.http', traffic: requests }
  }
  const lines = Array.isArray(whole) ? whole.map((each) => JSON.stringify(each)).join('\n') : text
  const traffic = importJsonLines(lines)
  if (traffic.frames.length > 0) return { format: 'JSON lines', traffic }
  const cut = /^\s*\{\s*"(?:log|resourceSpans)"/.test(text) && whole === undefined
  throw new RecordingError(
    'no-recording',
    cut
      ? `${name} is not complete JSON: it may be truncated. Export it again.`
      : `${name} is not a recording: expected NDJSON of Patchbay, HAR, OTLP/JSON spans, JSON lines with MCP messages, or .http`,
  )
}

function recordingOf(unsorted: readonly ImportedFrame[], redaction: Masks): Buffer {
  const frames = unsorted
    .map((frame) => ({ ...frame, at: Math.min(Math.max(frame.at, FIRST_TIME), LAST_TIME) }))
    .sort((one, other) => one.at - other.at)
  const startedAt = Math.floor(frames[0]?.at ?? 0)
  const first = { format: FORMAT, version: VERSION, startedAt: new Date(startedAt).toISOString() }
  const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify(first)}\n`)]
  const lines = new FrameLines(
    { text: (text) => parts.push(Buffer.from(text)), copy: (bytes) => parts.push(bytes) },
    redaction,
  )
  const connections = new Map<string, ConnectionLines>()
  let last = 0
  for (const { at, serverName, transport, connection, frame } of frames) {
    const key = JSON.stringify([serverName, transport, connection])
    const known = connections.get(key) ?? lines.connection({ serverName, transport, side: 'client' })
    connections.set(key, known)
    last = Math.round((at - startedAt) * MICROS)
    lines.frame(known, last, frame)
  }
  lines.end(last, frames.length, 0)
  return Buffer.concat(parts)
}
