import type { OurEntry } from '../../install/our-entry.ts'
import { UnreachableError } from '../output/exit-code.ts'

/** An entry in a file that may be another's writing: a project comes with its files, whoever wrote them. */
export type SharedEntry = {
  readonly name: string
  readonly file: string
  /** The folder it would be started in. */
  readonly folder: string
  readonly entry: OurEntry
}

/**
 * Returns once somebody at the terminal said that the entry may be started as it is.
 *
 * @throws UnreachableError that says what would be started, if nobody is there to ask, or the answer is no
 */
export async function requireApproval(shared: SharedEntry, signal: AbortSignal): Promise<void> {
  const { choose, personHere } = await import('../questions/person.ts')
  const person = personHere()
  const what = wordsOf(shared)
  if (person === undefined) {
    throw new UnreachableError(`${what}\nNothing was started. If that may run, say so with --approve.`)
  }
  person.print(what)
  if ((await choose(person, 'Start it?', ['no', 'yes'], signal)) === 'no')
    throw new UnreachableError(`"${shared.name}" was not started.`)
}

function wordsOf({ name, file, folder, entry: { command, args, env } }: SharedEntry): string {
  const variables = Object.entries(env).map(([variable, value]) => `    ${variable}=${quoted(value)}`)
  return [
    `"${name}" is in a file that anybody may have written, ${file}. It would start`,
    `    ${[command, ...args].map(quoted).join(' ')}`,
    ...(variables.length === 0 ? [] : ['  with', ...variables]),
    `  in ${folder}`,
  ].join('\n')
}

/** So that one word cannot be taken for two. */
function quoted(word: string): string {
  return /^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word)
}
