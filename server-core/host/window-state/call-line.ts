import { z } from 'zod'
import { parseExact, stringifyExact } from '../../protocol/exact-json.ts'
import type { Parsed } from '../../protocol/parsed.ts'
import { endedCallSchema, runningCallSchema } from '../contract/inspect.ts'

/** The version of the format. */
const VERSION = 1
const FORMAT = 'patchbay-calls'

const lineSchema = z.union([
  z
    .object({ format: z.literal(FORMAT), version: z.number(), tab: z.string() })
    .transform(({ version, tab }) => ({ type: 'head' as const, version, tab })),
  z
    .object({ started: runningCallSchema })
    .transform(({ started }) => ({ type: 'started' as const, call: started })),
  z.object({ ended: endedCallSchema }).transform(({ ended }) => ({ type: 'ended' as const, call: ended })),
])

/** A line of the file that has the calls of a tab. */
export type CallLine =
  | { readonly type: 'head'; readonly tab: string }
  | { readonly type: 'started'; readonly call: z.infer<typeof runningCallSchema> }
  | { readonly type: 'ended'; readonly call: z.infer<typeof endedCallSchema> }

/** One line, with its end. Numbers keep their digits. */
export function callLine(line: CallLine): string {
  switch (line.type) {
    case 'head':
      return `${JSON.stringify({ format: FORMAT, version: VERSION, tab: line.tab })}\n`
    case 'started':
      return `${JSON.stringify({ started: line.call })}\n`
    case 'ended':
      return `${stringifyExact({ ended: line.call })}\n`
  }
}

/** Parses what `callLine` wrote, without the end of the line. */
export function readCallLine(text: string): Parsed<CallLine> {
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    return { ok: false, reason: 'a line is not JSON' }
  }
  const line = lineSchema.safeParse(value)
  if (!line.success) return { ok: false, reason: 'a line is not of a call' }
  const { data } = line
  if (data.type !== 'head') return { ok: true, value: data }
  if (data.version <= VERSION) return { ok: true, value: { type: 'head', tab: data.tab } }
  const versions = `format ${data.version}, this is a Patchbay for format ${VERSION}`
  return { ok: false, reason: `it was written by a newer Patchbay (${versions})` }
}
