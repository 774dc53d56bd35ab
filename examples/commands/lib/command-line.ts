import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Argument, Program } from './declaration.ts'

/** What a program is started with. */
export type CommandLine = { readonly words: readonly string[]; readonly input: string | undefined }

/** A value cannot be given to the program; the message says which and why. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError'
}

/**
 * The words for a program, each value a word of its own: no shell joins or splits them.
 *
 * @param folder where paths must be in, symbolic links followed
 * @throws CommandLineError if a path leads out of the folder, or a value could pass for an option
 */
export async function commandLine(
  program: Program,
  values: Readonly<Record<string, unknown>>,
  folder: string,
): Promise<CommandLine> {
  const options: string[] = []
  const operands: string[] = []
  let input: string | undefined
  for (const [name, argument] of Object.entries(program.arguments)) {
    const value = values[name] ?? argument.default
    if (value === undefined || value === false) continue
    const { option, joined, isInput } = argument
    if (isInput === true) {
      input = typeof value === 'string' ? value : JSON.stringify(value)
      continue
    }
    if (argument.type === 'flag') {
      options.push(option ?? '')
      continue
    }
    for (const word of await wordsOf(name, argument, value, folder)) {
      if (option === undefined) {
        if (word.startsWith('-') && program.endsOptions !== true)
          throw new CommandLineError(`"${name}" may not begin with -, got "${word}"`)
        operands.push(word)
      } else if (joined === true) options.push(`${option}=${word}`)
      else options.push(option, word)
    }
  }
  const end = program.endsOptions === true && operands.length > 0 ? ['--'] : []
  return { words: [...(program.words ?? []), ...options, ...end, ...operands], input }
}

async function wordsOf(
  name: string,
  { type }: Argument,
  value: unknown,
  folder: string,
): Promise<readonly string[]> {
  const texts = (Array.isArray(value) ? value : [value]).map(String)
  for (const text of texts) {
    if (text.includes('\0')) throw new CommandLineError(`"${name}" has a character that no program can get`)
  }
  if (type !== 'path' && type !== 'paths') return texts
  return Promise.all(texts.map((text) => insideOf(folder, name, text)))
}

/** The path from the folder, once it is known to lead to something inside. */
async function insideOf(folder: string, name: string, text: string): Promise<string> {
  const root = await realpath(folder)
  let place: string
  try {
    place = await realpath(path.resolve(root, text))
  } catch {
    throw new CommandLineError(`"${name}" names nothing that is there: ${text}`)
  }
  const inside = path.relative(root, place)
  if (inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside))
    throw new CommandLineError(`"${name}" leads out of the folder: ${text}`)
  return inside === '' ? '.' : inside
}
