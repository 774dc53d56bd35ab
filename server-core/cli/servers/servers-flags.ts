import path from 'node:path'
import { UsageError } from '../output/exit-code.ts'
import { suggest } from '../flags/suggest.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { readTarget, type DirectTarget } from '../connection/target.ts'

type Shared = { readonly json: boolean; readonly profile?: string; readonly workspace?: string }

/** `patchbay servers …`: the stored servers, which the window shows too. */
export type ServersCommand = Shared & { readonly type: 'servers' } & (
    | { readonly action: 'list' }
    | { readonly action: 'show'; readonly name: string }
    | { readonly action: 'add'; readonly name: string; readonly target: DirectTarget }
    | {
        readonly action: 'approve'
        readonly names: readonly string[]
        /** Nobody is asked. */
        readonly yes: boolean
        /** Approve only what has this hash, as `show` printed it. */
        readonly hash?: string
      }
    | { readonly action: 'remove'; readonly names: readonly string[] }
    | { readonly action: 'rename'; readonly name: string; readonly newName: string }
  )

const SHARED = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  profile: { type: 'string' },
  workspace: { type: 'string' },
} as const
const ADD = {
  url: { type: 'string' },
  header: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  cwd: { type: 'string' },
  transport: { type: 'string' },
  revision: { type: 'string' },
} as const
const APPROVE = { yes: { type: 'boolean', short: 'y' }, hash: { type: 'string' } } as const

export const SERVERS_ACTIONS = ['list', 'add', 'show', 'approve', 'rename', 'remove'] as const

/** Reads the words after `servers`. Throws a `UsageError` that says what was expected. */
export function readServers(words: readonly string[]): ServersCommand | 'help' {
  const [first, ...rest] = words
  if (first === '--help' || first === '-h') return 'help'
  const action = SERVERS_ACTIONS.find((known) => known === first)
  switch (action) {
    case 'list': {
      const { values, positionals } = parseFlags(rest, SHARED)
      if (values.help === true) return 'help'
      namesOf(action, positionals, 0, 0)
      return { type: 'servers', action, ...shared(values) }
    }
    case 'show': {
      const { values, positionals } = parseFlags(rest, SHARED)
      if (values.help === true) return 'help'
      const [name = ''] = namesOf(action, positionals, 1, 1)
      return { type: 'servers', action, name, ...shared(values) }
    }
    case 'add':
      return readAdd(rest)
    case 'approve': {
      const { values, positionals } = parseFlags(rest, { ...SHARED, ...APPROVE })
      if (values.help === true) return 'help'
      const { hash, yes = false } = values
      const names = namesOf(action, positionals, 1, hash === undefined ? Infinity : 1)
      if (hash !== undefined && !/^[0-9a-f]{64}$/.test(hash))
        throw new UsageError('--hash expects the 64 digits that "servers show" prints')
      return {
        type: 'servers',
        action,
        names,
        yes: yes || hash !== undefined,
        ...(hash !== undefined && { hash }),
        ...shared(values),
      }
    }
    case 'remove': {
      const { values, positionals } = parseFlags(rest, SHARED)
      if (values.help === true) return 'help'
      return { type: 'servers', action, names: namesOf(action, positionals, 1, Infinity), ...shared(values) }
    }
    case 'rename': {
      const { values, positionals } = parseFlags(rest, SHARED)
      if (values.help === true) return 'help'
      const [name = '', newName = ''] = namesOf(action, positionals, 2, 2)
      return { type: 'servers', action, name, newName, ...shared(values) }
    }
    case undefined: {
      const near = suggest(first ?? '', SERVERS_ACTIONS)
      const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''
      const got = first === undefined ? 'nothing' : `"${first}"`
      throw new UsageError(`servers expects one of ${SERVERS_ACTIONS.join(', ')}, got ${got}${hint}`)
    }
  }
}

function readAdd(words: readonly string[]): ServersCommand | 'help' {
  const at = words.indexOf('--')
  const command = at === -1 ? undefined : words.slice(at + 1)
  const { values, positionals } = parseFlags(at === -1 ? words : words.slice(0, at), { ...SHARED, ...ADD })
  if (values.help === true) return 'help'
  const [name = ''] = namesOf('add', positionals, 1, 1)
  const { profile: _profile, workspace: _workspace, ...flags } = values
  if (flags.url === undefined && command === undefined)
    throw new UsageError('servers add expects --url URL, or -- COMMAND at the end')
  const target = readTarget(flags, command)
  if (target.type === 'stored')
    throw new UsageError('servers add expects --url URL, or -- COMMAND at the end')
  // A command that names no folder starts in this one; in a workspace that was named, there.
  const placed =
    target.type === 'command' && target.cwd === undefined && values.workspace === undefined
      ? { ...target, cwd: process.cwd() }
      : target
  return { type: 'servers', action: 'add', name, target: placed, ...shared(values) }
}

function shared(values: {
  readonly json?: boolean | undefined
  readonly profile?: string | undefined
  readonly workspace?: string | undefined
}): Shared {
  const { json = false, profile, workspace } = values
  return {
    json,
    ...(profile !== undefined && { profile: path.resolve(profile) }),
    ...(workspace !== undefined && { workspace: path.resolve(workspace) }),
  }
}

function namesOf(action: string, names: readonly string[], least: number, most: number): readonly string[] {
  const stray = names[most]
  if (stray !== undefined) throw new UsageError(`servers ${action} does not take "${stray}"`)
  if (names.length < least)
    throw new UsageError(
      least === 2
        ? `servers ${action} expects the name of a server and its new name`
        : `servers ${action} expects the name of a server`,
    )
  return names
}
