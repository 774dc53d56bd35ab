import type { ListId } from '../../client/listed.ts'
import {
  CLIENT_OPTIONS,
  readClientSettings,
  readCount,
  readMilliseconds,
  readNamed,
  type ClientSettings,
} from '../connection/client-flags.ts'
import { UsageError } from '../output/exit-code.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import type { NameAndValue } from '../connection/target.ts'
import type { ClientCommandName } from '../flags/command-names.ts'

/** A command that connects to one server, does one thing and ends. */
export type ClientCommand = ClientSettings &
  (
    | {
        readonly type: 'list'
        /** Everything the server declares if none is named. */
        readonly lists: readonly ListId[]
        /** One page of each, the first unless told; all of them if missing. */
        readonly page?: { readonly cursor?: string }
      }
    | ({ readonly type: 'call'; readonly tool: string; readonly task?: true } & Arguments)
    | { readonly type: 'read'; readonly uri: string }
    | ({ readonly type: 'get'; readonly prompt: string } & Arguments)
    | {
        readonly type: 'complete'
        /** The name of a prompt, or a URI template. */
        readonly of: string
        readonly argument: string
        readonly value: string
        readonly named: readonly NameAndValue[]
      }
    | { readonly type: 'subscribe'; readonly uris: readonly string[]; readonly count?: number }
    | { readonly type: 'ping'; readonly count: number }
    | { readonly type: 'discover' }
    /** A TypeScript declaration of the tools. */
    | { readonly type: 'types' }
    | {
        readonly type: 'raw'
        /** Text as it was typed, `-` for standard input. */
        readonly data: string
        readonly waitMs?: number
        /** Connects to the server without a handshake. */
        readonly bare?: true
      }
  )

type Arguments = {
  /** JSON text as it was typed, `-` for standard input, or undefined. */
  readonly argumentsText?: string
  readonly named: readonly NameAndValue[]
}

const LISTS: Readonly<Record<string, ListId>> = {
  tools: 'tools',
  resources: 'resources',
  templates: 'resourceTemplates',
  prompts: 'prompts',
  tasks: 'tasks',
}

/** What only some commands have. */
const OWN_OPTIONS = {
  list: { all: { type: 'boolean' }, page: { type: 'boolean' }, cursor: { type: 'string' } },
  call: { arg: { type: 'string', multiple: true }, task: { type: 'boolean' } },
  get: { arg: { type: 'string', multiple: true } },
  complete: { arg: { type: 'string', multiple: true } },
  subscribe: { count: { type: 'string' } },
  ping: { count: { type: 'string' } },
  raw: { wait: { type: 'string' }, bare: { type: 'boolean' } },
} as const

const PINGS = 3

/**
 * Parses the words after the name of the command. Returns `help` for --help. Throws a `UsageError` that
 * says what was expected.
 */
export function readClientCommand(name: ClientCommandName, words: readonly string[]): ClientCommand | 'help' {
  const at = words.indexOf('--')
  // What follows the first `--` is the command of a server and none of our business.
  const command = at === -1 ? undefined : words.slice(at + 1)
  const args = at === -1 ? [...words] : words.slice(0, at)
  const parse = <Own extends object>(own: Own) => parseFlags(args, { ...CLIENT_OPTIONS, ...own })
  const settings = (values: Parameters<typeof readClientSettings>[0]) => readClientSettings(values, command)
  switch (name) {
    case 'list': {
      const { values, positionals } = parse(OWN_OPTIONS.list)
      if (values.help === true) return 'help'
      return { type: name, ...readLists(positionals, values), ...settings(values) }
    }
    case 'call': {
      const { values, positionals } = parse(OWN_OPTIONS.call)
      if (values.help === true) return 'help'
      const { first: tool, ...rest } = readArguments(name, 'the name of a tool', positionals, values.arg)
      return { type: name, tool, ...rest, ...(values.task === true && { task: true }), ...settings(values) }
    }
    case 'read': {
      const { values, positionals } = parse({})
      if (values.help === true) return 'help'
      return { type: name, uri: only(name, 'the URI of a resource', positionals), ...settings(values) }
    }
    case 'get': {
      const { values, positionals } = parse(OWN_OPTIONS.get)
      if (values.help === true) return 'help'
      const { first: prompt, ...rest } = readArguments(name, 'the name of a prompt', positionals, values.arg)
      return { type: name, prompt, ...rest, ...settings(values) }
    }
    case 'complete': {
      const { values, positionals } = parse(OWN_OPTIONS.complete)
      if (values.help === true) return 'help'
      const [of, argument, value = '', stray] = positionals
      if (of === undefined || argument === undefined || stray !== undefined)
        throw new UsageError(
          'complete expects a prompt or URI template, an argument of it, and its beginning',
        )
      return { type: name, of, argument, value, named: readNamed(values.arg ?? []), ...settings(values) }
    }
    case 'subscribe': {
      const { values, positionals: uris } = parse(OWN_OPTIONS.subscribe)
      if (values.help === true) return 'help'
      if (uris.length === 0) throw new UsageError('subscribe expects the URIs of resources')
      const { count } = values
      return {
        type: name,
        uris,
        ...(count !== undefined && { count: readCount(count, '--count') }),
        ...settings(values),
      }
    }
    case 'ping': {
      const { values, positionals } = parse(OWN_OPTIONS.ping)
      if (values.help === true) return 'help'
      refuseStray(name, positionals)
      const { count } = values
      return {
        type: name,
        count: count === undefined ? PINGS : readCount(count, '--count'),
        ...settings(values),
      }
    }
    case 'types':
    case 'discover': {
      const { values, positionals } = parse({})
      if (values.help === true) return 'help'
      refuseStray(name, positionals)
      return { type: name, ...settings(values) }
    }
    case 'raw': {
      const { values, positionals } = parse(OWN_OPTIONS.raw)
      if (values.help === true) return 'help'
      const { wait, bare } = values
      return {
        type: name,
        data: only(name, 'what to send, or - to read it from standard input', positionals),
        ...(wait !== undefined && { waitMs: readMilliseconds(wait, '--wait', 0) }),
        ...(bare === true && { bare }),
        ...settings(values),
      }
    }
  }
}

function readLists(
  names: readonly string[],
  flags: { readonly all?: boolean; readonly page?: boolean; readonly cursor?: string },
): Pick<Extract<ClientCommand, { type: 'list' }>, 'lists' | 'page'> {
  const lists = names.map((name) => {
    const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined
    if (list !== undefined) return list
    const known = Object.keys(LISTS).join(', ')
    throw new UsageError(`list knows no "${name}": ${known}; a command goes after --`)
  })
  const { all, page, cursor } = flags
  if (all === true && (page === true || cursor !== undefined))
    throw new UsageError('--all and a single page exclude each other')
  if (cursor !== undefined && lists.length !== 1)
    throw new UsageError('--cursor belongs to one list: name it, as in patchbay list tools --cursor TEXT')
  if (cursor !== undefined) return { lists, page: { cursor } }
  return { lists, ...(page === true && { page: {} }) }
}

function readArguments(
  command: string,
  what: string,
  positionals: readonly string[],
  named: readonly string[] = [],
): Arguments & { readonly first: string } {
  const [first, argumentsText, stray] = positionals
  if (first === undefined) throw new UsageError(`${command} expects ${what}`)
  if (stray !== undefined) {
    const takes = command === 'call' ? 'a tool' : 'a prompt'
    throw new UsageError(
      `${command} takes ${takes} and one JSON object, and then came "${stray}"; quote the JSON`,
    )
  }
  return { first, named: readNamed(named), ...(argumentsText !== undefined && { argumentsText }) }
}

function only(command: string, what: string, positionals: readonly string[]): string {
  const [first, stray] = positionals
  if (first === undefined) throw new UsageError(`${command} expects ${what}`)
  if (stray !== undefined) throw new UsageError(`${command} expects ${what}, and then came "${stray}"`)
  return first
}

function refuseStray(command: string, [stray]: readonly string[]): void {
  if (stray !== undefined) throw new UsageError(`${command} takes no "${stray}"; a command goes after --`)
}
