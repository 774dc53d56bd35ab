import type { ServerDraft } from '../contract/servers.ts'
import { serverNameOfCommand } from './server-name.ts'
import { CommandLineError, splitCommandLine } from './split-command-line.ts'

/**
 * Reads a command line such as `KEY=value npx -y @scope/server --flag`.
 *
 * @throws CommandLineError
 */
export function readCommandLine(text: string): ServerDraft {
  const words = splitCommandLine(text)
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  if (first === -1) throw new CommandLineError('There is no command in it, only variables.')
  const env = words.slice(0, first).map((word) => {
    const equals = word.indexOf('=')
    return { name: word.slice(0, equals), value: word.slice(equals + 1) }
  })
  const command = words[first] ?? ''
  if (command === '') throw new CommandLineError('The command is an empty text.')
  const args = words.slice(first + 1)
  return { name: serverNameOfCommand(command, args), target: { transport: 'stdio', command, args, env } }
}
