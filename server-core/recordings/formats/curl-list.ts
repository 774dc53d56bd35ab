import { writeFile } from 'node:fs/promises'
import type { RecordingView } from '../recording-view.ts'
import { absolute } from './har-export.ts'
import { httpExchanges } from './http-exchanges.ts'

const OWNER_ONLY = 0o600
/** Headers that curl sets by itself. */
const OWN: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'accept-encoding',
  'transfer-encoding',
])

/** Names of headers; curl takes others for files. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Writes the HTTP requests of a recording as a list of curl commands. Returns what is missing from it, in words. */
export async function exportCurl(view: RecordingView, file: string): Promise<string[]> {
  const { exchanges, sockets, others: elsewhere } = await httpExchanges(view)
  const others = sockets.reduce((sum, { messages }) => sum + messages.length, elsewhere)
  const commands = exchanges.map(({ request: { http, bytes } }) => {
    const headers = Object.entries(http.headers)
      .filter(([name]) => !OWN.has(name) && TOKEN.test(name))
      .map(([name, value]) => ` \\\n  -H ${quoted(`${name}: ${value}`)}`)
    const body = bytes.length === 0 ? '' : ` \\\n  --data-raw ${quoted(bytes.toString())}`
    return `curl -sS -N -X ${quoted(http.method)} ${quoted(absolute(http.url, http.headers))}${headers.join('')}${body}\n`
  })
  await writeFile(file, `#!/bin/sh\n${commands.join('\n')}`, { mode: OWNER_ONLY })
  const notes = [...view.problems]
  if (others > 0) notes.push(`${others} messages are left out: they did not travel over HTTP`)
  if (exchanges.some(({ request }) => JSON.stringify(request.http.headers).includes('⟨redacted⟩')))
    notes.push('secrets were masked as they were recorded: put them in place of ⟨redacted⟩')
  return notes
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`
}
