import type { ClientCommand } from './client-command.ts'
import { COMMANDS, type CommandName } from './command-names.ts'
import { UsageError } from './exit-code.ts'
import type { ImportCommand, McpCommand } from './mcp-flags.ts'
import type { ProxyCommand } from './proxy-flags.ts'
import { readServeFlags, type ServeFlags } from './serve-options.ts'

/** What the user asked for. */
export type Command =
  | { readonly type: 'help'; readonly topic: CommandName | 'all' }
  | { readonly type: 'version' }
  | ClientCommand
  | ProxyCommand
  | McpCommand
  | ImportCommand
  | { readonly type: 'serve'; readonly flags: ServeFlags }
  | { readonly type: 'init'; readonly folder: string }

/**
 * Reads the command line after `patchbay`. Throws a `UsageError` that says what was expected. What only other commands
 * need is no part of the start of `serve`.
 */
export async function readCommand(words: readonly string[]): Promise<Command> {
  const [name, ...rest] = words
  if (name === undefined) throw new UsageError(`expected a command: ${COMMANDS.join(', ')}`)
  if (name === '--help' || name === '-h' || name === 'help') return { type: 'help', topic: 'all' }
  if (name === '--version' || name === '-v') return { type: 'version' }
  if (!isCommandName(name)) throw await unknownCommand(name)
  try {
    if (name === 'serve') return readServe(rest)
    if (name === 'init') return readInit(rest)
    if (name === 'proxy') {
      const command = (await import('./proxy-flags.ts')).readProxy(rest)
      return command === 'help' ? { type: 'help', topic: name } : command
    }
    if (name === 'mcp' || name === 'import') {
      const { readImport, readMcp } = await import('./mcp-flags.ts')
      const command = name === 'mcp' ? readMcp(rest) : readImport(rest)
      return command === 'help' ? { type: 'help', topic: name } : command
    }
    const command = (await import('./client-command.ts')).readClientCommand(name, rest)
    return command === 'help' ? { type: 'help', topic: name } : command
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The parser's own words, without its advice about quoting.
    throw new UsageError(error.message.split('. To specify')[0] ?? error.message, { cause: error })
  }
}

async function unknownCommand(name: string): Promise<UsageError> {
  const near = (await import('./nearest.ts')).nearest(name, COMMANDS)
  const remedy =
    near.length > 0
      ? `did you mean ${near.map((each) => `"${each}"`).join(' or ')}?`
      : `there are ${COMMANDS.join(', ')}`
  return new UsageError(`there is no command "${name}"; ${remedy}`)
}

function isCommandName(name: string): name is CommandName {
  return (COMMANDS as readonly string[]).includes(name)
}

function readInit(words: readonly string[]): Command {
  if (words.includes('--help') || words.includes('-h')) return { type: 'help', topic: 'init' }
  const [folder = '.', ...others] = words
  const stranger = [folder, ...others].find((word, index) => index > 0 || word.startsWith('-'))
  if (stranger !== undefined) throw new UsageError(`init takes one folder, got "${stranger}"`)
  return { type: 'init', folder }
}

function readServe(words: readonly string[]): Command {
  const flags = readServeFlags(words)
  return flags === 'help' ? { type: 'help', topic: 'serve' } : { type: 'serve', flags }
}
