import path from 'node:path'
import type { Declaration } from '../../client/declaration.ts'
import { SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import { UsageError } from '../output/exit-code.ts'
import { directoryCommand } from './directory-command.ts'

/** The server a command is about, as the user named it. */
export type Target =
  | (Chosen & {
      readonly type: 'url'
      readonly url: string
      readonly headers: readonly NameAndValue[]
      /** Transport of the URL; negotiated unless given. */
      readonly transport?: UrlTransport
    })
  | (Chosen & {
      readonly type: 'command'
      readonly command: string
      readonly args: readonly string[]
      readonly env: readonly NameAndValue[]
      readonly cwd?: string
      /** The directory whose scripts the command serves, for `--dir`. */
      readonly directory?: string
    })
  | {
      readonly type: 'stored'
      readonly name: string
      readonly profile?: string
      readonly workspace?: string
      /** In place of what is stored. */
      readonly transport?: UrlTransport
      readonly protocol?: Revision
    }

/** Transports of a URL. */
export type UrlTransport = 'auto' | 'http' | 'sse' | 'websocket'

/** A server, with everything that it takes to reach it. */
export type DirectTarget = Exclude<Target, { type: 'stored' }>

/** What was chosen about speaking with a server. */
type Chosen = {
  readonly protocol?: Revision
  readonly declaration?: Declaration
  /** The stored entry that it was read from: its name and its key among all of the profile. */
  readonly entry?: { readonly name: string; readonly key: string }
}

export type NameAndValue = { readonly name: string; readonly value: string }

/** Flags that name or qualify a server, as `parseArgs` gives them. */
export type TargetFlags = {
  readonly url?: string | undefined
  readonly server?: string | undefined
  readonly dir?: string | undefined
  readonly trust?: boolean | undefined
  readonly header?: readonly string[] | undefined
  readonly env?: readonly string[] | undefined
  readonly cwd?: string | undefined
  readonly profile?: string | undefined
  readonly workspace?: string | undefined
  readonly transport?: string | undefined
  readonly revision?: string | undefined
}

/**
 * Reads which server is meant.
 *
 * @param words the words after `--`; undefined if there was no `--`
 * @throws UsageError if none or several are named, or a flag goes with another one
 */
export function readTarget(flags: TargetFlags, words: readonly string[] | undefined): Target {
  const named = [
    flags.url === undefined ? [] : ['--url'],
    flags.server === undefined ? [] : ['--server'],
    flags.dir === undefined ? [] : ['--dir'],
    words === undefined ? [] : ['-- COMMAND'],
  ].flat()
  if (named.length > 1) throw new UsageError(`name one server: ${named.join(' and ')} exclude each other`)
  const transport = flags.transport === undefined ? undefined : readTransport(flags.transport)
  const protocol = flags.revision === undefined ? {} : { protocol: readRevision(flags.revision) }
  if (flags.dir !== undefined) return readDirectory(flags, flags.dir, protocol)
  refuse(flags, ['trust'], '--dir')
  if (flags.url !== undefined) {
    refuse(flags, ['env', 'cwd'], '-- COMMAND')
    refuse(flags, ['workspace'], '--server')
    const url = readUrl(flags.url)
    return {
      type: 'url',
      url,
      headers: (flags.header ?? []).map(readHeader),
      ...(transport !== undefined && { transport: fitting(transport, url) }),
      ...protocol,
    }
  }
  if (flags.server !== undefined) {
    refuse(flags, ['header'], '--url')
    refuse(flags, ['env', 'cwd'], '-- COMMAND')
    return {
      type: 'stored',
      name: flags.server,
      ...(transport !== undefined && { transport: overUrl(transport, '--server') }),
      ...protocol,
      ...(flags.profile !== undefined && { profile: path.resolve(flags.profile) }),
      ...(flags.workspace !== undefined && { workspace: path.resolve(flags.workspace) }),
    }
  }
  if (words === undefined)
    throw new UsageError('name a server: --url URL, --server NAME, --dir DIR, or -- COMMAND at the end')
  refuse(flags, ['header'], '--url')
  refuse(flags, ['workspace'], '--server')
  const [command, ...args] = words
  if (command === undefined || command === '') throw new UsageError('there is no command after --')
  if (transport !== undefined && transport !== 'stdio' && transport !== 'auto')
    throw new UsageError(`a command uses stdio, not ${transport}; --transport goes with --url`)
  return {
    type: 'command',
    command,
    args,
    env: (flags.env ?? []).map(readVariable),
    ...(flags.cwd !== undefined && { cwd: path.resolve(flags.cwd) }),
    ...protocol,
  }
}

/** The scripts of a directory, served by a process of its own. */
function readDirectory(flags: TargetFlags, dir: string, chosen: { readonly protocol?: Revision }): Target {
  refuse(flags, ['header'], '--url')
  refuse(flags, ['cwd'], '-- COMMAND')
  refuse(flags, ['workspace'], '--server')
  refuse(flags, ['transport'], '--url')
  if (dir === '') throw new UsageError('--dir expects the directory of a workspace')
  const directory = path.resolve(dir)
  const { profile, trust = false } = flags
  return {
    type: 'command',
    ...directoryCommand({
      directory,
      trust,
      ...(profile !== undefined && { profile: path.resolve(profile) }),
    }),
    // It is this program itself; its scripts see only the variables that their configuration names.
    env: [...ownVariables(), ...(flags.env ?? []).map(readVariable)],
    directory,
    ...chosen,
  }
}

/** As they are typed, and what they are. */
const TRANSPORTS: Readonly<Record<string, UrlTransport | 'stdio'>> = {
  auto: 'auto',
  stdio: 'stdio',
  http: 'http',
  sse: 'sse',
  ws: 'websocket',
  websocket: 'websocket',
}

function readTransport(text: string): UrlTransport | 'stdio' {
  const transport = Object.hasOwn(TRANSPORTS, text) ? TRANSPORTS[text] : undefined
  if (transport !== undefined) return transport
  throw new UsageError(`--transport expects one of ${Object.keys(TRANSPORTS).join(', ')}, got "${text}"`)
}

function overUrl(transport: UrlTransport | 'stdio', flag: string): UrlTransport {
  if (transport !== 'stdio') return transport
  throw new UsageError(`stdio is for commands, not for ${flag}; name one after --`)
}

function fitting(transport: UrlTransport | 'stdio', url: string): UrlTransport {
  const chosen = overUrl(transport, '--url')
  if (chosen === 'auto' || (chosen === 'websocket') === /^wss?:/i.test(url)) return chosen
  const schemes = chosen === 'websocket' ? 'ws:// or wss://' : 'http:// or https://'
  throw new UsageError(`--transport ${chosen} goes with an address that begins with ${schemes}`)
}

function readRevision(text: string): Revision {
  const revision = SUPPORTED.find((known) => known === text)
  if (revision !== undefined) return revision
  throw new UsageError(`--revision expects one of ${SUPPORTED.join(', ')}, got "${text}"`)
}

function refuse(flags: TargetFlags, names: readonly (keyof TargetFlags)[], goesWith: string): void {
  for (const name of names)
    if (flags[name] !== undefined) throw new UsageError(`--${name} goes with ${goesWith} only`)
}

/** Reads the address of a server. @throws UsageError */
export function readUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol))
    throw new UsageError(
      `--url expects an address that begins with http://, https://, ws:// or wss://, got "${text}"`,
    )
  return text
}

/** Reads `Name: value`. @throws UsageError */
export function readHeader(text: string): NameAndValue {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/s.exec(text)
  if (match?.[1] === undefined || match[2] === undefined)
    throw new UsageError(`--header expects 'Name: value', got "${text.split(':')[0] ?? ''}"`)
  if (/[\r\n\0]/.test(match[2])) throw new UsageError(`--header ${match[1]} has a line break in its value`)
  return { name: match[1], value: match[2] }
}

/** Reads `NAME=value`, or the NAME of a variable of this process. @throws UsageError */
export function readVariable(text: string): NameAndValue {
  const equals = text.indexOf('=')
  if (equals === -1 && text !== '') return forwarded(text)
  if (equals < 1) throw new UsageError(`--env expects NAME=value, or the NAME of a variable, got "${text}"`)
  return { name: text.slice(0, equals), value: text.slice(equals + 1) }
}

function ownVariables(): readonly NameAndValue[] {
  return Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  )
}

/** A variable of the shell that runs this command. */
function forwarded(name: string): NameAndValue {
  const value = process.env[name]
  if (value !== undefined) return { name, value }
  throw new UsageError(
    `--env ${name}: there is no such variable here to pass on; --env ${name}=value sets one`,
  )
}
