import type { Paste } from '../contract/servers.ts'
import { readClientConfig } from './client-config.ts'
import { readCommandLine } from './command-line.ts'
import { readCurl } from './curl.ts'
import { serverNameOfUrl } from './server-name.ts'
import { transportOfUrl } from './transport-of-url.ts'
import { CommandLineError } from './split-command-line.ts'

/**
 * Reads what a user pasted: the configuration of any client (`mcpServers`, `servers`, or one entry of it), a curl
 * command, an address, or a command line. Stores nothing and runs nothing. Never throws: what cannot be read is
 * a problem with its reason.
 */
export function readPaste(text: string): Paste {
  const trimmed = text.trim().replace(/^\uFEFF/, '')
  if (trimmed === '') return problem('Nothing was pasted.')
  if (trimmed.startsWith('{') || trimmed.startsWith('[') || trimmed.startsWith('"'))
    return readClientConfig(trimmed)
  try {
    if (/^curl(\.exe)?\s/.test(trimmed)) return { drafts: [readCurl(trimmed)], problems: [] }
    if (/^[a-z][a-z\d+.-]*:\/\/\S*$/i.test(trimmed)) {
      const url = URL.parse(trimmed)
      if (url === null || !/^(http|ws)s?:$/.test(url.protocol)) {
        const expected = 'Expected an address like https://example.com/mcp or wss://example.com/ws'
        return problem(`${expected}, got "${trimmed.slice(0, 200)}".`)
      }
      const name = serverNameOfUrl(trimmed)
      const target = { transport: transportOfUrl(trimmed), url: trimmed, headers: [] }
      return { drafts: [{ name, target }], problems: [] }
    }
    return { drafts: [readCommandLine(trimmed.replace(/^\$\s+/, ''))], problems: [] }
  } catch (error) {
    if (error instanceof CommandLineError) return problem(error.message)
    throw error
  }
}

function problem(reason: string): Paste {
  return { drafts: [], problems: [{ name: 'pasted text', reason }] }
}
