import { parseArgs } from 'node:util'
import { UsageError } from './exit-code.ts'
import { readServeFlags, type ServeFlags } from './serve-options.ts'
import { readTarget, type Target } from './target.ts'
import { COMMANDS, type CommandName } from './usage.ts'

/** What the user asked for. */
export type Command =
  | { readonly type: 'help'; readonly topic: CommandName | 'all' }
  | { readonly type: 'version' }
  | { readonly type: 'list'; readonly target: Target; readonly json: boolean; readonly timeoutMs: number }
  | {
      readonly type: 'call'
      readonly tool: string
      /** JSON text as it was typed, `-` for standard input, or undefined. */
      readonly argumentsText?: string
      readonly target: Target
      readonly json: boolean
      readonly timeoutMs: number
    }
  | { readonly type: 'serve'; readonly flags: ServeFlags }

const HELP = { help: { type: 'boolean', short: 'h' } } as const

const CLIENT_OPTIONS = {
  ...HELP,
  url: { type: 'string' },
  server: { type: 'string' },
  header: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  cwd: { type: 'string' },
  profile: { type: 'string' },
  workspace: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
} as const

const DEFAULT_TIMEOUT_MS = 60_000

/** Reads the command line after `patchbay`. Throws a `UsageError` that says what was expected. */
export function readCommand(words: readonly string[]): Command {
  const [name, ...rest] = words
  if (name === undefined) throw new UsageError(`expected a command: ${COMMANDS.join(', ')}`)
  if (name === '--help' || name === '-h' || name === 'help') return { type: 'help', topic: 'all' }
  if (name === '--version' || name === '-v') return { type: 'version' }
  if (!isCommandName(name)) throw new UsageError(`there is no command "${name}": ${COMMANDS.join(', ')}`)
  try {
    if (name === 'serve') return readServe(rest)
    return name === 'list' ? readList(rest) : readCall(rest)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The parser's own words, without its advice about quoting.
    throw new UsageError(error.message.split('. To specify')[0] ?? error.message, { cause: error })
  }
}

function isCommandName(name: string): name is CommandName {
  return (COMMANDS as readonly string[]).includes(name)
}

/** Splits at the first `--`: what follows is the command of a server and none of our business. */
function splitWords(words: readonly string[]): { ours: string[]; command: string[] | undefined } {
  const at = words.indexOf('--')
  return at === -1
    ? { ours: [...words], command: undefined }
    : { ours: words.slice(0, at), command: words.slice(at + 1) }
}

function readList(words: readonly string[]): Command {
  const { ours, command } = splitWords(words)
  const { values, positionals } = parseArgs({ args: ours, options: CLIENT_OPTIONS, allowPositionals: true })
  if (values.help === true) return { type: 'help', topic: 'list' }
  const [stray] = positionals
  if (stray !== undefined) throw new UsageError(`list takes no "${stray}"; a command goes after --`)
  return {
    type: 'list',
    target: readTarget(values, command),
    json: values.json === true,
    timeoutMs: readTimeout(values.timeout),
  }
}

function readCall(words: readonly string[]): Command {
  const { ours, command } = splitWords(words)
  const { values, positionals } = parseArgs({ args: ours, options: CLIENT_OPTIONS, allowPositionals: true })
  if (values.help === true) return { type: 'help', topic: 'call' }
  const [tool, argumentsText, stray] = positionals
  if (tool === undefined) throw new UsageError('call expects the name of a tool')
  if (stray !== undefined)
    throw new UsageError(`call takes a tool and one JSON object, and then came "${stray}"; quote the JSON`)
  return {
    type: 'call',
    tool,
    target: readTarget(values, command),
    json: values.json === true,
    timeoutMs: readTimeout(values.timeout),
    ...(argumentsText !== undefined && { argumentsText }),
  }
}

function readServe(words: readonly string[]): Command {
  const flags = readServeFlags(words)
  return flags === 'help' ? { type: 'help', topic: 'serve' } : { type: 'serve', flags }
}

function readTimeout(text: string | undefined): number {
  if (text === undefined) return DEFAULT_TIMEOUT_MS
  const milliseconds = Number(text)
  // Beyond this a timer of Node fires at once.
  if (!/^\d+$/.test(text) || milliseconds < 1 || milliseconds > 2_147_483_647)
    throw new UsageError(`--timeout expects milliseconds, got "${text}"`)
  return milliseconds
}
