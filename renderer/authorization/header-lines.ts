import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { authorizationText } from './text.ts'

type Headers = Readonly<Record<string, string>>

/** Headers as text, one a line. */
export function headersText(headers: Headers): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Parses `Name: value`, one a line; reports an invalid line. */
export function readHeaderLines(text: string): Parsed<Headers> {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*)$/.exec(line) ?? []
    if (name === undefined) return { ok: false, reason: authorizationText.headerLines.invalidLine(line) }
    headers[name] = value
  }
  return { ok: true, value: headers }
}
