import path from 'node:path'
import type { WindowOptions } from '../../host/window/window-options.ts'
import { serverNameOfCommand, serverNameOfUrl } from '../../host/paste/server-name.ts'
import type { ServerDraft } from '../../profile/server-target.ts'
import { UsageError } from '../output/exit-code.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { readHeader, readUrl, readVariable } from '../connection/target.ts'
import { readFirstWord } from './first-word.ts'
import { draftOf } from '../connection/server-draft.ts'

/** `patchbay` without a command: opens the window, with a server if one was typed. */
export type OpenCommand = WindowOptions & {
  readonly type: 'open'
  readonly mode: 'browser' | 'headless'
  readonly server?: ServerDraft
}

/** `patchbay desktop`: opens the window in Electron. */
export type DesktopCommand = WindowOptions & { readonly type: 'desktop'; readonly approve: boolean }

const WINDOW_FLAGS = {
  workspace: { type: 'string' },
  profile: { type: 'string' },
  'mcp-port': { type: 'string' },
} as const
const OPEN_FLAGS = {
  ...WINDOW_FLAGS,
  browser: { type: 'boolean' },
  headless: { type: 'boolean' },
  port: { type: 'string' },
  env: { type: 'string', multiple: true },
  header: { type: 'string', multiple: true },
  name: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const
const DESKTOP_FLAGS = {
  ...WINDOW_FLAGS,
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const

/**
 * Reads options, then a server: an address, or a program with its arguments, which are not ours. What follows `--` is
 * always a program.
 *
 * @throws UsageError
 */
export async function readOpen(words: readonly string[]): Promise<OpenCommand | 'help'> {
  const end = serverStart(words)
  const { values } = parseFlags(words.slice(0, end), OPEN_FLAGS)
  if (values.help === true) return 'help'
  const isAfterDashes = words[end] === '--'
  const server = words.slice(isAfterDashes ? end + 1 : end)
  if (isAfterDashes && (server[0] ?? '') === '') throw new UsageError('there is no command after --')
  const env = values.env ?? []
  const headers = values.header ?? []
  return {
    type: 'open',
    mode: values.headless === true ? 'headless' : 'browser',
    port: readPort('--port', values.port) ?? 0,
    ...readWindowOptions(values),
    ...(await readServer(server, { isAfterDashes, env, headers, name: values.name })),
  }
}

/** Reads `patchbay desktop`. @throws UsageError */
export function readDesktop(words: readonly string[]): DesktopCommand | 'help' {
  const { values, positionals } = parseFlags(words, DESKTOP_FLAGS)
  if (values.help === true) return 'help'
  const [stranger] = positionals
  if (stranger !== undefined) throw new UsageError(`desktop takes only options, got "${stranger}"`)
  return { type: 'desktop', approve: values.yes === true, port: 0, ...readWindowOptions(values) }
}

/** Where the options end: at the first word that is neither an option nor its value. */
function serverStart(words: readonly string[]): number {
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ''
    if (word === '--' || !word.startsWith('-')) return at
    const name = word.replace(/^--/, '')
    const takesValue = Object.entries(OPEN_FLAGS).some(
      ([flag, { type }]) => flag === name && type === 'string',
    )
    at += takesValue ? 2 : 1
  }
  return words.length
}

type Qualifiers = {
  readonly isAfterDashes: boolean
  readonly env: readonly string[]
  readonly headers: readonly string[]
  readonly name: string | undefined
}

async function readServer(
  [first, ...rest]: readonly string[],
  { isAfterDashes, env, headers, name }: Qualifiers,
): Promise<{ readonly server?: ServerDraft }> {
  if (first === undefined) {
    const flag = [env.length > 0 && '--env', headers.length > 0 && '--header', name !== undefined && '--name']
    const given = flag.find((each) => each !== false)
    if (given !== undefined) throw new UsageError(`${given} goes with a server, and none is named`)
    return {}
  }
  const kind = isAfterDashes ? 'program' : await readFirstWord(first, process.cwd())
  if (kind === 'address') {
    if (rest.length > 0) throw new UsageError(`an address takes no arguments, got "${rest.join(' ')}"`)
    if (env.length > 0) throw new UsageError('--env goes with a program, not with an address')
    const target = { type: 'url', url: readUrl(first), headers: headers.map(readHeader) } as const
    return { server: draftOf(name ?? serverNameOfUrl(first), target) }
  }
  if (headers.length > 0) throw new UsageError('--header goes with an address, not with a program')
  const target = {
    type: 'command',
    command: first,
    args: rest,
    env: env.map(readVariable),
    cwd: process.cwd(),
  } as const
  return { server: draftOf(name ?? serverNameOfCommand(first, rest), target) }
}

type WindowValues = {
  readonly workspace?: string | undefined
  readonly profile?: string | undefined
  readonly 'mcp-port'?: string | undefined
}

function readWindowOptions(values: WindowValues): Pick<WindowOptions, 'workspace' | 'profile' | 'mcpPort'> {
  const mcpPort = readPort('--mcp-port', values['mcp-port'])
  return {
    ...(mcpPort !== undefined && { mcpPort }),
    ...(values.workspace !== undefined && { workspace: folder('--workspace', values.workspace) }),
    ...(values.profile !== undefined && { profile: folder('--profile', values.profile) }),
  }
}

function readPort(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`${flag} expects a number from 0 to 65535, got "${text}"`)
  return port
}

function folder(flag: string, text: string): string {
  if (text === '') throw new UsageError(`${flag} expects a folder, got an empty text`)
  return path.resolve(text)
}
