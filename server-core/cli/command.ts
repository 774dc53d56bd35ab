import type { ClientCommand } from './commands/client-command.ts'
import { COMMANDS, type CommandName } from './flags/command-names.ts'
import { UsageError } from './output/exit-code.ts'
import type { ImportCommand, McpCommand } from './mcp/mcp-flags.ts'
import type { CheckCommand } from './check/check-flags.ts'
import type { ExamCommand } from './exam/exam-flags.ts'
import type { FuzzCommand } from './fuzz/fuzz-flags.ts'
import type { LoadCommand } from './load/load-flags.ts'
import type { LockCommand } from './lock/lock-flags.ts'
import type { DoctorCommand } from './doctor/doctor-command.ts'
import type { DesktopCommand, OpenCommand } from './open/open-command.ts'
import type { ProxyCommand } from './proxy/proxy-flags.ts'
import type { DiffCommand } from './diff/diff-flags.ts'
import type { ReplayCommand } from './replay/replay-flags.ts'
import type { RecordingsCommand } from './recordings/recordings-flags.ts'
import type { ServersCommand } from './servers/servers-flags.ts'
import type { TapCommand } from './tap/tap-flags.ts'
import type { TestCommand } from './testing/test-flags.ts'
import type { Topic } from './help/topics-usage.ts'
import { readServeFlags, type ServeFlags } from './serve/serve-options.ts'

/** What the user asked for. */
export type Command =
  | { readonly type: 'help'; readonly topic: CommandName | Topic | 'open' | 'all' }
  | { readonly type: 'version' }
  | ClientCommand
  | ProxyCommand
  | McpCommand
  | ImportCommand
  | ServersCommand
  | CheckCommand
  | ExamCommand
  | LockCommand
  | FuzzCommand
  | LoadCommand
  | RecordingsCommand
  | ReplayCommand
  | DiffCommand
  | TapCommand
  | OpenCommand
  | DesktopCommand
  | DoctorCommand
  | { readonly type: 'serve'; readonly flags: ServeFlags }
  | TestCommand
  | InitCommand

/** `patchbay init`: `tests` writes a suite of tests instead of a workspace. */
type InitCommand = { readonly type: 'init'; readonly folder: string; readonly tests?: true }

/**
 * Reads the command line after `patchbay`. Throws a `UsageError` that says what was expected. What only other commands
 * need is not part of the start of `serve`.
 */
export async function readCommand(words: readonly string[]): Promise<Command> {
  const [name = '', ...rest] = words
  if (name === '--help' || name === '-h' || name === 'help') return readHelp(rest)
  if (name === '--version' || name === '-v') return { type: 'version' }
  if (!isCommandName(name)) return readWindow(words)
  if (name === 'serve') return readServe(rest)
  if (name === 'init') return readInit(rest)
  const command = await readOther(name, rest)
  return command === 'help' ? { type: 'help', topic: name } : command
}

/** Reads a command line without a command, which opens the window. */
async function readWindow(words: readonly string[]): Promise<Command> {
  const command = await (await import('./open/open-command.ts')).readOpen(words)
  return command === 'help' ? { type: 'help', topic: 'open' } : command
}

async function readOther(
  name: Exclude<CommandName, 'serve' | 'init'>,
  words: readonly string[],
): Promise<Command | 'help'> {
  switch (name) {
    case 'proxy':
      return (await import('./proxy/proxy-flags.ts')).readProxy(words)
    case 'mcp':
      return (await import('./mcp/mcp-flags.ts')).readMcp(words)
    case 'import':
      return (await import('./mcp/mcp-flags.ts')).readImport(words)
    case 'check':
      return (await import('./check/check-flags.ts')).readCheck(words)
    case 'exam':
      return (await import('./exam/exam-flags.ts')).readExam(words)
    case 'lock':
      return (await import('./lock/lock-flags.ts')).readLock(words)
    case 'fuzz':
      return (await import('./fuzz/fuzz-flags.ts')).readFuzz(words)
    case 'load':
      return (await import('./load/load-flags.ts')).readLoad(words)
    case 'test':
      return (await import('./testing/test-flags.ts')).readTest(words)
    case 'servers':
      return (await import('./servers/servers-flags.ts')).readServers(words)
    case 'recordings':
      return (await import('./recordings/recordings-flags.ts')).readRecordings(words)
    case 'show':
      return (await import('./recordings/recordings-flags.ts')).readShow(words)
    case 'replay':
      return (await import('./replay/replay-flags.ts')).readReplay(words)
    case 'diff':
      return (await import('./diff/diff-flags.ts')).readDiff(words)
    case 'tap':
      return (await import('./tap/tap-flags.ts')).readTap(words)
    case 'desktop':
      return (await import('./open/open-command.ts')).readDesktop(words)
    case 'doctor':
      return (await import('./doctor/doctor-command.ts')).readDoctor(words)
    default:
      return (await import('./commands/client-command.ts')).readClientCommand(name, words)
  }
}

async function readHelp([topic, ...others]: readonly string[]): Promise<Command> {
  if (topic === undefined || topic.startsWith('-')) return { type: 'help', topic: 'all' }
  if (isCommandName(topic) && others.length === 0) return { type: 'help', topic }
  const { TOPICS } = await import('./help/topics-usage.ts')
  const known = TOPICS.find((each) => each === topic)
  if (known !== undefined && others.length === 0) return { type: 'help', topic: known }
  const all = [...COMMANDS, ...TOPICS]
  const near = (await import('./flags/suggest.ts')).suggest(topic, all)
  const remedy = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${all.join(', ')}`
  throw new UsageError(`there is no help on "${[topic, ...others].join(' ')}"; ${remedy}`)
}

function isCommandName(name: string): name is CommandName {
  return (COMMANDS as readonly string[]).includes(name)
}

function readInit(words: readonly string[]): Command {
  if (words.includes('--help') || words.includes('-h')) return { type: 'help', topic: 'init' }
  const tests = words.includes('--tests')
  const [folder = '.', ...others] = words.filter((word) => word !== '--tests')
  const stranger = [folder, ...others].find((word, index) => index > 0 || word.startsWith('-'))
  if (stranger !== undefined) throw new UsageError(`init takes one folder, got "${stranger}"`)
  return { type: 'init', folder, ...(tests && { tests }) }
}

function readServe(words: readonly string[]): Command {
  const flags = readServeFlags(words)
  return flags === 'help' ? { type: 'help', topic: 'serve' } : { type: 'serve', flags }
}
