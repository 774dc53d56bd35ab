import { CLIENTS, type ClientId } from '../../install/clients.ts'
import { readMilliseconds } from '../connection/client-flags.ts'
import { UsageError } from '../output/exit-code.ts'
import { suggest } from '../flags/suggest.ts'
import { parseFlags } from '../flags/parse-flags.ts'

/** Which of a client's files is meant; by default its user's. */
export type FileFlags = { readonly project?: string; readonly file?: string }

type Shared = FileFlags & { readonly json: boolean; readonly profile?: string; readonly workspace?: string }

/** `patchbay mcp …`: what is done to the files of other clients. */
export type McpCommand = Shared & {
  readonly type: 'mcp'
} & (
    | {
        readonly action: 'install'
        readonly client: ClientId
        /** The workspace to serve; the usual one of the profile if neither is given. */
        readonly folder?: string
        readonly server?: string
        readonly name?: string
        readonly trust: boolean
        readonly replace: boolean
        readonly create: boolean
      }
    | { readonly action: 'uninstall'; readonly client: ClientId; readonly name?: string }
    | { readonly action: 'undo'; readonly client: ClientId }
    | { readonly action: 'status'; readonly clients: readonly ClientId[]; readonly name?: string }
    | {
        readonly action: 'test'
        /** Whose entry is tested; without one, what `install` would write is. */
        readonly client?: ClientId
        /** Without a client: the workspace; if neither is given the present folder, or else the usual workspace. */
        readonly folder?: string
        readonly server?: string
        readonly trust: boolean
        readonly name?: string
        readonly timeoutMs: number
        /** What a file of a project, or a named one, says may be started as it is. */
        readonly approve: boolean
      }
  )

/** `patchbay import`: the servers of other clients, stored unapproved. */
export type ImportCommand = Shared & {
  readonly type: 'import'
  /** Those that are here if none is named. */
  readonly clients: readonly ClientId[]
  /** Tell what would be stored, and store nothing. */
  readonly dryRun: boolean
}

const SHARED = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  project: { type: 'string' },
  file: { type: 'string' },
  profile: { type: 'string' },
  workspace: { type: 'string' },
} as const

const ACTIONS = ['install', 'uninstall', 'undo', 'status', 'test'] as const
const USUAL_TIMEOUT_MS = 30_000

/** Reads the words after `mcp`. Throws a `UsageError` that says what was expected. */
export function readMcp(words: readonly string[]): McpCommand | 'help' {
  const [first, ...rest] = words
  const action = ACTIONS.find((known) => known === first)
  if (first === '--help' || first === '-h') return 'help'
  if (action === undefined)
    throw new UsageError(
      `mcp expects one of ${ACTIONS.join(', ')}, got ${quoted(first)}${meant(first, ACTIONS)}`,
    )
  const args = [...rest]
  if (action === 'install') {
    const { values, positionals } = parseFlags(args, {
      ...SHARED,
      server: { type: 'string' },
      name: { type: 'string' },
      trust: { type: 'boolean' },
      replace: { type: 'boolean' },
      create: { type: 'boolean' },
    })
    if (values.help === true) return 'help'
    const [client, folder] = atMost(action, positionals, 2)
    const { server, name, trust = false, replace = false, create = false } = values
    if (server !== undefined && folder !== undefined)
      throw new UsageError('install takes a folder or --server, not both')
    if (server !== undefined && trust) throw new UsageError('--trust goes with a folder')
    return {
      type: 'mcp',
      action: action,
      client: readClient(action, client),
      ...shared(values),
      ...(folder !== undefined && { folder }),
      ...(server !== undefined && { server }),
      ...(name !== undefined && { name: readName(name) }),
      trust,
      replace,
      create,
    }
  }
  const { values, positionals } = parseFlags(args, {
    ...SHARED,
    ...(action !== 'undo' && { name: { type: 'string' } as const }),
    ...(action === 'test' && {
      timeout: { type: 'string' } as const,
      approve: { type: 'boolean' } as const,
      server: { type: 'string' } as const,
      trust: { type: 'boolean' } as const,
    }),
  })
  if (values.help === true) return 'help'
  const name = typeof values['name'] === 'string' ? { name: readName(values['name']) } : {}
  if (action === 'status') {
    const clients = positionals.map((client) => readClient(action, client))
    return { type: 'mcp', action, clients, ...shared(values), ...name }
  }
  const [word] = atMost(action, positionals, 1)
  if (action !== 'test')
    return { type: 'mcp', action, client: readClient(action, word), ...shared(values), ...name }
  const { timeout, server, trust, approve } = values
  const timeoutMs = typeof timeout === 'string' ? readMilliseconds(timeout, '--timeout') : USUAL_TIMEOUT_MS
  const tested = {
    client: CLIENTS.find(({ id }) => id === word)?.id,
    word,
    server: typeof server === 'string' ? server : undefined,
    trust: trust === true,
    isOfEntry:
      approve === true || [values.name, values.project, values.file].some((each) => each !== undefined),
  }
  return {
    type: 'mcp',
    action: action,
    ...whatToTest(tested),
    ...shared(values),
    ...name,
    timeoutMs,
    approve: approve === true,
    trust: tested.trust,
  }
}

type Tested = {
  readonly client: ClientId | undefined
  readonly word: string | undefined
  readonly server: string | undefined
  readonly trust: boolean
  /** Flags were given that say which entry of a client is meant. */
  readonly isOfEntry: boolean
}

/** The entry of a client, or a workspace or stored server without any client. Throws a `UsageError`. */
function whatToTest({ client, word, server, trust, isOfEntry }: Tested) {
  if (client !== undefined) {
    if (server !== undefined || trust)
      throw new UsageError(
        '--server and --trust go with a folder, or with nothing; the file of a client says both',
      )
    return { client }
  }
  if (isOfEntry)
    throw new UsageError(
      `--name, --project, --file and --approve go with a client: test ${CLIENTS[0]?.id ?? 'CLIENT'}`,
    )
  if (server === undefined) return word === undefined ? {} : { folder: word }
  if (word !== undefined) throw new UsageError('test takes a folder or --server, not both')
  if (trust) throw new UsageError('--trust goes with a folder')
  return { server }
}

/** Reads the words after `import`. Throws a `UsageError`. */
export function readImport(words: readonly string[]): ImportCommand | 'help' {
  const { values, positionals } = parseFlags(words, { ...SHARED, 'dry-run': { type: 'boolean' } })
  if (values.help === true) return 'help'
  const clients = positionals.map((client) => readClient('import', client))
  if (values.file !== undefined && clients.length !== 1)
    throw new UsageError('--file goes with one client, whose file it is')
  return { type: 'import', clients, dryRun: values['dry-run'] === true, ...shared(values) }
}

function shared(values: {
  readonly json?: unknown
  readonly project?: unknown
  readonly file?: unknown
  readonly profile?: unknown
  readonly workspace?: unknown
}): Shared {
  const { project, file, profile, workspace } = values
  if (project !== undefined && file !== undefined)
    throw new UsageError('--project and --file both say which file; give one')
  return {
    json: values.json === true,
    ...(typeof project === 'string' && { project }),
    ...(typeof file === 'string' && { file }),
    ...(typeof profile === 'string' && { profile }),
    ...(typeof workspace === 'string' && { workspace }),
  }
}

function readClient(action: string, text: string | undefined): ClientId {
  const client = CLIENTS.find(({ id }) => id === text)
  if (client !== undefined) return client.id
  const known = CLIENTS.map(({ id }) => id).join(', ')
  const hint = meant(
    text,
    CLIENTS.map(({ id }) => id),
  )
  throw new UsageError(`${action} expects a client: ${known}; got ${quoted(text)}${hint}`)
}

function readName(text: string): string {
  if (/^[A-Za-z0-9_-]{1,60}$/.test(text)) return text
  throw new UsageError(
    `--name expects letters, digits, - and _, at most 60, as every client takes; got "${text}"`,
  )
}

function atMost(action: string, words: readonly string[], count: number): readonly string[] {
  const stray = words[count]
  if (stray !== undefined) throw new UsageError(`${action} takes no "${stray}"`)
  return words
}

function quoted(text: string | undefined): string {
  return text === undefined ? 'nothing' : `"${text}"`
}

function meant(text: string | undefined, known: readonly string[]): string {
  const near = text === undefined ? [] : suggest(text, known)
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
}
