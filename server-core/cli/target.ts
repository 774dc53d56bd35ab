import path from 'node:path'
import type { Declaration } from '../client/declaration.ts'
import type { Revision } from '../protocol/revisions.ts'
import { UsageError } from './exit-code.ts'

/** The server a command is about, as the user named it. */
export type Target =
  | (Chosen & {
      readonly type: 'url'
      readonly url: string
      readonly headers: readonly NameAndValue[]
      /** How the URL is spoken to; found out unless told. */
      readonly transport?: 'auto' | 'http' | 'sse' | 'websocket'
    })
  | (Chosen & {
      readonly type: 'command'
      readonly command: string
      readonly args: readonly string[]
      readonly env: readonly NameAndValue[]
      readonly cwd?: string
    })
  | { readonly type: 'stored'; readonly name: string; readonly profile?: string; readonly workspace?: string }

/** What was chosen about speaking with a stored server. */
type Chosen = { readonly protocol?: Revision; readonly declaration?: Declaration }

export type NameAndValue = { readonly name: string; readonly value: string }

/** Flags that name or qualify a server, as `parseArgs` gives them. */
export type TargetFlags = {
  readonly url?: string
  readonly server?: string
  readonly header?: readonly string[]
  readonly env?: readonly string[]
  readonly cwd?: string
  readonly profile?: string
  readonly workspace?: string
}

/**
 * Reads which server is meant.
 *
 * @param words what stood after `--`; undefined if there was no `--`
 * @throws UsageError if none or several are named, or a flag goes with another one
 */
export function readTarget(flags: TargetFlags, words: readonly string[] | undefined): Target {
  const named = [
    flags.url === undefined ? [] : ['--url'],
    flags.server === undefined ? [] : ['--server'],
    words === undefined ? [] : ['-- COMMAND'],
  ].flat()
  if (named.length > 1) throw new UsageError(`name one server: ${named.join(' and ')} exclude each other`)
  if (flags.url !== undefined) {
    refuse(flags, ['env', 'cwd'], '-- COMMAND')
    refuse(flags, ['profile', 'workspace'], '--server')
    return { type: 'url', url: readUrl(flags.url), headers: (flags.header ?? []).map(readHeader) }
  }
  if (flags.server !== undefined) {
    refuse(flags, ['header'], '--url')
    refuse(flags, ['env', 'cwd'], '-- COMMAND')
    return {
      type: 'stored',
      name: flags.server,
      ...(flags.profile !== undefined && { profile: path.resolve(flags.profile) }),
      ...(flags.workspace !== undefined && { workspace: path.resolve(flags.workspace) }),
    }
  }
  if (words === undefined)
    throw new UsageError('name a server: --url URL, --server NAME, or -- COMMAND at the end')
  refuse(flags, ['header'], '--url')
  refuse(flags, ['profile', 'workspace'], '--server')
  const [command, ...args] = words
  if (command === undefined || command === '') throw new UsageError('there is no command after --')
  return {
    type: 'command',
    command,
    args,
    env: (flags.env ?? []).map(readVariable),
    ...(flags.cwd !== undefined && { cwd: path.resolve(flags.cwd) }),
  }
}

function refuse(flags: TargetFlags, names: readonly (keyof TargetFlags)[], goesWith: string): void {
  for (const name of names)
    if (flags[name] !== undefined) throw new UsageError(`--${name} goes with ${goesWith} only`)
}

function readUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol))
    throw new UsageError(
      `--url expects an address that begins with http://, https://, ws:// or wss://, got "${text}"`,
    )
  return text
}

function readHeader(text: string): NameAndValue {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/s.exec(text)
  if (match?.[1] === undefined || match[2] === undefined)
    throw new UsageError(`--header expects 'Name: value', got "${text.split(':')[0] ?? ''}"`)
  if (/[\r\n\0]/.test(match[2])) throw new UsageError(`--header ${match[1]} has a line break in its value`)
  return { name: match[1], value: match[2] }
}

function readVariable(text: string): NameAndValue {
  const equals = text.indexOf('=')
  if (equals < 1) throw new UsageError(`--env expects NAME=value, got "${text}"`)
  return { name: text.slice(0, equals), value: text.slice(equals + 1) }
}
