import type { Parsed } from '../../protocol/parsed.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Pair, Paste, ServerDraft } from '../contract/servers.ts'
import { serverNameOfCommand, serverNameOfUrl } from './server-name.ts'
import { transportOfType } from './transport-of-url.ts'

/**
 * Reads the JSON of a client's configuration: `{ "mcpServers": { NAME: … } }` (Claude, Cursor and most others),
 * `{ "servers": { NAME: … } }` and `{ "mcp": { "servers": … } }` (VS Code), `context_servers` (Zed), `mcp_servers` (Codex), a map of
 * entries, or one entry. Comments and trailing commas, which some clients allow, are read over.
 */
export function readClientConfig(text: string): Paste {
  const value = parseLoosely(text)
  if (value instanceof SyntaxError) {
    return { drafts: [], problems: [{ name: 'pasted text', reason: `It is not JSON: ${value.message}` }] }
  }
  return readClientValue(value)
}

/** The same for a configuration that is data already, whatever it was written in. */
export function readClientValue(value: unknown): Paste {
  if (!isJsonObject(value)) {
    const reason = 'Expected an object like { "mcpServers": { "name": { "command": "…" } } }.'
    return { drafts: [], problems: [{ name: 'pasted text', reason }] }
  }
  const drafts: ServerDraft[] = []
  const problems: { name: string; reason: string }[] = []
  for (const [name, entry] of entriesOf(value)) {
    const draft = readClientEntry(name, entry)
    if (draft.ok) drafts.push(draft.value)
    else problems.push({ name: name ?? 'entry', reason: draft.reason })
  }
  if (drafts.length === 0 && problems.length === 0)
    problems.push({ name: 'pasted text', reason: 'There is no server in it.' })
  return { drafts, problems }
}

/** An entry without a name is the whole paste. */
function entriesOf(value: JsonObject): [string | undefined, unknown][] {
  const mcp = value['mcp']
  const nested = isJsonObject(mcp) ? mcp['servers'] : undefined
  const maps = [value['mcpServers'], value['servers'], nested, value['context_servers'], value['mcp_servers']]
  const map = maps.find(isJsonObject)
  if (map !== undefined) return Object.entries(map)
  if (looksLikeEntry(value)) {
    const name = value['name']
    return [[typeof name === 'string' && name !== '' ? name : undefined, value]]
  }
  return Object.entries(value)
}

function looksLikeEntry(value: JsonObject): boolean {
  return ['command', 'url', 'serverUrl', 'httpUrl'].some((member) => member in value)
}

/** The draft of one entry of any client. */
export function readClientEntry(name: string | undefined, entry: unknown): Parsed<ServerDraft> {
  if (!isJsonObject(entry)) return invalid('Expected an object with "command" or "url".')
  // Some clients nest the command: { "command": { "path": …, "args": … } }.
  const { command } = entry
  if (isJsonObject(command)) return readClientEntry(name, { ...command, command: command['path'] })
  const url = entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl']
  if (command === undefined && url !== undefined) return readRemote(name, entry, url)
  if (typeof command !== 'string' || command === '') return invalid('It has neither a "command" nor a "url".')
  const args = entry['args'] ?? []
  if (!isStringList(args)) return invalid('"args" must be a list of texts.')
  const env = pairsOf(entry['env'])
  if (!env.ok) return invalid(`"env" ${env.reason}`)
  const cwd = entry['cwd'] ?? entry['workingDirectory']
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string') return invalid('"cwd" must be a text.')
  const place = typeof cwd === 'string' && cwd !== '' ? { cwd } : {}
  return {
    ok: true,
    value: {
      name: named(name, serverNameOfCommand(command, args)),
      target: { transport: 'stdio', command, args: [...args], ...place, env: env.value },
    },
  }
}

function readRemote(name: string | undefined, entry: JsonObject, url: unknown): Parsed<ServerDraft> {
  if (typeof url !== 'string' || url === '') return invalid('"url" must be a text.')
  const transport = transportOfType(entry['type'] ?? entry['transport'], url)
  const read = pairsOf(entry['headers'] ?? entry['http_headers'])
  if (!read.ok) return invalid(`"headers" ${read.reason}`)
  const bearer = read.value.find(
    (pair) => /^authorization$/i.test(pair.name) && /^Bearer\s+\S/i.test(pair.value),
  )
  const headers = read.value.filter((pair) => pair !== bearer)
  const token = bearer === undefined ? {} : { bearerToken: bearer.value.replace(/^Bearer\s+/i, '') }
  return {
    ok: true,
    value: { name: named(name, serverNameOfUrl(url)), target: { transport, url, headers }, ...token },
  }
}

function named(name: string | undefined, otherwise: string): string {
  const text = (name ?? '').trim()
  return (text === '' ? otherwise : text).slice(0, 120)
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** A map of texts; the reason is the end of a sentence. */
function pairsOf(value: unknown): Parsed<Pair[]> {
  if (value === undefined || value === null) return { ok: true, value: [] }
  if (!isJsonObject(value)) return invalid('must be an object of texts.')
  const pairs: Pair[] = []
  for (const [name, item] of Object.entries(value)) {
    if (!['string', 'number', 'boolean'].includes(typeof item))
      return invalid(`has a "${name}" that is not text.`)
    pairs.push({ name, value: String(item) })
  }
  return { ok: true, value: pairs }
}

function invalid(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason }
}

/** JSON as people keep it in configuration files. */
function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (first) {
    const braced = text.startsWith('"') ? `{${text.replace(/,\s*$/, '')}}` : text
    try {
      return JSON.parse(withoutComments(braced))
    } catch {
      return first instanceof SyntaxError ? first : new SyntaxError(String(first))
    }
  }
}

/** Removes comments and trailing commas; string values stay as they are. */
function withoutComments(text: string): string {
  return text
    .replaceAll(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_all, quoted: string | undefined) => quoted ?? '',
    )
    .replaceAll(
      /("(?:[^"\\]|\\.)*")|,(\s*[}\]])/g,
      (_all, quoted: string | undefined, close: string | undefined) => quoted ?? close ?? '',
    )
}
