import { writeFile } from 'node:fs/promises'
import { otlpBody, SpanBuilder, type OtlpSpan } from '../otlp/span-builder.ts'
import type { RecordingView } from '../recording-view.ts'

const OWNER_ONLY = 0o600
const BATCH = 2_000

/** Writes the answered requests of a recording as spans in OTLP/JSON. Returns what is missing from it, in words. */
export async function exportOtlp(view: RecordingView, file: string): Promise<string[]> {
  const builder = new SpanBuilder((text) => text)
  const spans: OtlpSpan[] = []
  for (let first = 0; first < view.frames; first += BATCH) {
    const count = Math.min(BATCH, view.frames - first)
    for (const frame of await view.read(Array.from({ length: count }, (_, place) => first + place))) {
      if (frame.kind !== 'message') continue
      const { at, direction, bytes, http, connection } = frame
      const { serverName, side, transport, number } = connection
      const session = http?.headers['mcp-session-id']
      const key = http === undefined ? String(number) : `${number} ${http.exchange}`
      const facts = { at, direction, bytes, serverName, side, transport, connection: key }
      spans.push(...builder.add(session === undefined ? facts : { ...facts, session }))
    }
  }
  await writeFile(file, `${JSON.stringify(otlpBody(spans))}\n`, { mode: OWNER_ONLY })
  return [...view.problems, 'spans have no messages: arguments, results and notifications are left out']
}
