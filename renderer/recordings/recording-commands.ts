import { shellOption, shellWord } from '../copy-as/shell-word.ts'
import type { ListedRecording } from './list-order.ts'

type RecordingCommand = {
  readonly name: 'test' | 'replay' | 'serve' | 'show' | 'verify'
  readonly command: string
}

/** How commands of Patchbay are written for this app. */
export type CommandLine = {
  /** What is typed before the name of a command. */
  readonly command: string
  /** The data folder, if it is not the usual one. */
  readonly profile: string | undefined
}

/** The commands for a recording of the profile, as they are typed into a shell. */
export function recordingCommands(
  { id, side, serverName, imported }: ListedRecording,
  line: CommandLine,
): RecordingCommand[] {
  const isStored = side === 'client' && imported !== true && serverName !== ''
  const server = isStored ? shellOption('--server', serverName) : '-- COMMAND'
  return [
    {
      name: 'test',
      command: withProfile(`recordings test ${shellWord(id)} --out tests/recorded.spec.ts`, line),
    },
    { name: 'replay', command: withProfile(`replay ${shellWord(id)}`, line, server) },
    { name: 'serve', command: withProfile(`serve --replay ${shellWord(id)} --http`, line) },
    { name: 'show', command: withProfile(`show ${shellWord(id)}`, line) },
    { name: 'verify', command: withProfile(`recordings verify ${shellWord(id)}`, line) },
  ]
}

/** The command that compares two recordings. */
export function diffCommand(
  before: string,
  after: string,
  ignore: readonly string[],
  exact: boolean,
  line: CommandLine,
): string {
  const options = [
    ...ignore.map((pointer) => shellOption('--ignore', pointer)),
    ...(exact ? ['--exact'] : []),
  ]
  return withProfile(['diff', shellWord(before), shellWord(after), ...options].join(' '), line)
}

function withProfile(words: string, { command, profile }: CommandLine, last = ''): string {
  const option = profile === undefined ? '' : shellOption('--profile', profile)
  return [command, words, option, last].filter((part) => part !== '').join(' ')
}
