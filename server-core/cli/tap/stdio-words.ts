import type { StdioTapOptions } from '../../tap/stdio/stdio-tap.ts'

/** What follows a flag of the short form. */
const FLAGS = new Set(['--record', '--name', '--client', '--profile', '--without', '--rules'])

/**
 * Reads `[--record FILE] [--no-record] [--name NAME] [--client NAME] [--profile DIR] [--without VARIABLE] [--rules FILE] -- COMMAND [ARGS…]`; undefined for
 * anything else, which the command line explains. It loads nothing, because clients start this again and again.
 */
export function readStdioWords(words: readonly string[]): StdioTapOptions | undefined {
  const at = words.indexOf('--')
  const command = words[at + 1]
  if (at === -1 || command === undefined || command === '') return undefined
  const values = new Map<string, string>()
  let isRecorded = true
  for (let index = 0; index < at; index += 1) {
    const flag = words[index] ?? ''
    if (flag === '--no-record') isRecorded = false
    else {
      index += 1
      const value = words[index]
      if (!FLAGS.has(flag) || values.has(flag) || index >= at || value === undefined || value === '')
        return undefined
      values.set(flag, value)
    }
  }
  const args = words.slice(at + 2)
  const file = values.get('--record')
  const profile = values.get('--profile')
  const client = values.get('--client')
  const without = values.get('--without')
  const rules = values.get('--rules')
  if (file !== undefined && !isRecorded) return undefined
  return {
    command,
    args,
    ...(without !== undefined && { without: [without] }),
    ...(rules !== undefined && { rules }),
    recording: {
      place: !isRecorded
        ? { type: 'nowhere' }
        : file === undefined
          ? { type: 'profile' }
          : { type: 'file', file },
      name: values.get('--name') ?? nameOf(command, args),
      transport: 'stdio',
      ...(profile !== undefined && { profile }),
      ...(client !== undefined && { client }),
    },
  }
}

/** Programs whose first argument says what runs. */
const RUNNERS = /^(?:node|nodejs|bun|bunx|deno|npx|pnpx|python\d?(?:\.\d+)?|uvx?|pipx|tsx)(?:\.exe|\.cmd)?$/i

/** A name for a server that is started by a command. */
function nameOf(command: string, args: readonly string[]): string {
  const program = lastPart(command)
  if (!RUNNERS.test(program)) return program
  const what = args.find((arg) => !arg.startsWith('-') && arg !== 'run')
  return what === undefined ? program : lastPart(what)
}

function lastPart(place: string): string {
  return place.split(/[\\/]/).findLast((part) => part !== '') ?? place
}
