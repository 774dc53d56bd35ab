import { existsSync } from 'node:fs'
import path from 'node:path'
import { resolveCommand } from '../../host/servers/resolve-command.ts'
import { COMMANDS } from '../flags/command-names.ts'
import { UsageError } from '../output/exit-code.ts'
import { editDistance } from '../flags/suggest.ts'

const ADDRESS = /^(?:https?|wss?):\/\//i
/** Files that a program runs, and which one. */
const RUN_BY: readonly (readonly [RegExp, string])[] = [
  [/\.(?:[cm]?js|[cm]?ts)$/i, 'node'],
  [/\.py$/i, 'python'],
]

/** What a word begins that is neither a command nor an option. */
export type FirstWord = 'address' | 'program'

/**
 * Decides what a word means. It is run only if it is a path or a program on PATH, and no slip of the name of a command.
 *
 * @throws UsageError that suggests what may have been meant
 */
export async function readFirstWord(
  word: string,
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FirstWord> {
  if (ADDRESS.test(word)) return 'address'
  const file = path.resolve(folder, word)
  const program = RUN_BY.find(([ending]) => ending.test(word))?.[1]
  const environment = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ) as Record<string, string>
  const found = await resolveCommand(word, folder, environment)
  if (found === undefined && existsSync(file) && program !== undefined)
    throw new UsageError(
      `${word} is a file that cannot be run by itself; to run it as a server: patchbay ${program} ${word}`,
    )
  if (/[\\/]/.test(word)) {
    if (found !== undefined) return 'program'
    const reason = existsSync(file) ? 'is not an executable file' : 'does not exist'
    throw new UsageError(`${word} ${reason}`)
  }
  const slips = found === undefined ? [] : COMMANDS.filter((name) => editDistance(word, name) === 1)
  if (slips.length > 0) {
    const meant = slips.map((name) => `"${name}"`).join(' or ')
    throw new UsageError(
      `there is no command "${word}"; did you mean ${meant}? To run the program ${word}: patchbay -- ${word}`,
    )
  }
  if (found !== undefined) return 'program'
  throw await unknownCommand(word)
}

/** Words of commands that have a second word, by themselves. */
const SECOND_WORDS = [
  ...['install', 'uninstall', 'undo', 'status', 'test'].map((word) => `mcp ${word}`),
  ...['add', 'show', 'approve', 'rename', 'remove'].map((word) => `servers ${word}`),
]

async function unknownCommand(name: string): Promise<UsageError> {
  const { suggest: nearest } = await import('../flags/suggest.ts')
  const seconds = new Map(SECOND_WORDS.map((words) => [words.split(' ')[1] ?? words, words]))
  const near = nearest(name, [...COMMANDS, ...seconds.keys()]).map((word) => seconds.get(word) ?? word)
  const [first] = near
  if (first !== undefined) {
    const meant = near.map((each) => `"${each}"`).join(' or ')
    return new UsageError(`there is no command "${name}"; did you mean ${meant}?`)
  }
  const commands = COMMANDS.join(', ')
  return new UsageError(`there is no command "${name}" and no such program on PATH; there are ${commands}`)
}
