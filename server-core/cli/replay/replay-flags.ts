import {
  CLIENT_OPTIONS,
  readClientSettings,
  readCount,
  type ClientSettings,
} from '../connection/client-flags.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../output/exit-code.ts'

/** `patchbay replay RECORDING`. */
export type ReplayCommand = ClientSettings & {
  readonly type: 'replay'
  /** A recording's file, folder or id. */
  readonly recording: string
  /** Replays one after the other, each over a connection of its own. */
  readonly times: number
  /** Connections that replay at the same time. */
  readonly clients: number
  readonly sequential: boolean
  /** Recorded times divided by this; as fast as possible if missing. */
  readonly speed?: number
  /** Patterns of JSON pointers that are left out. */
  readonly ignore: readonly string[]
  /** Counts times, identifiers and ports as differences. */
  readonly exact: boolean
}

/** Connections and replays that are allowed. */
const MOST_CLIENTS = 1_000
const MOST_TIMES = 100_000

/** Reads the words after `replay`. Throws a `UsageError` that says what was expected. */
export function readReplay(words: readonly string[]): ReplayCommand | 'help' {
  const at = words.indexOf('--')
  const command = at === -1 ? undefined : words.slice(at + 1)
  const { values, positionals } = parseFlags(at === -1 ? words : words.slice(0, at), {
    ...CLIENT_OPTIONS,
    times: { type: 'string' },
    clients: { type: 'string' },
    sequential: { type: 'boolean' },
    speed: { type: 'string' },
    ignore: { type: 'string', multiple: true },
    exact: { type: 'boolean' },
  })
  if (values.help === true) return 'help'
  const [recording, stray] = positionals
  if (recording === undefined)
    throw new UsageError('replay expects a recording: patchbay replay FILE -- COMMAND, or --url URL')
  if (stray !== undefined)
    throw new UsageError(`replay expects one recording, got "${stray}" too; a command goes after --`)
  const { ignore = [], exact = false, sequential = false, speed } = values
  if (ignore.includes('')) throw new UsageError('--ignore expects a JSON pointer or the name of a member')
  const times = counted(values.times, '--times', MOST_TIMES)
  const clients = counted(values.clients, '--clients', MOST_CLIENTS)
  if (values.record !== undefined && (times > 1 || clients > 1))
    throw new UsageError('--record records one replay: leave out --times and --clients')
  return {
    type: 'replay',
    recording,
    times,
    clients,
    sequential,
    ignore,
    exact,
    ...(speed !== undefined && { speed: readSpeed(speed) }),
    ...readClientSettings(values, command),
  }
}

function counted(text: string | undefined, flag: string, most: number): number {
  if (text === undefined) return 1
  const count = readCount(text, flag)
  if (count > most) throw new UsageError(`${flag} expects at most ${most}, got ${count}`)
  return count
}

function readSpeed(text: string): number {
  const speed = Number(text)
  if (!/^\d{1,4}(?:\.\d{1,3})?$/.test(text) || speed === 0)
    throw new UsageError(`--speed expects a factor such as 1 (as recorded) or 10, got "${text}"`)
  return speed
}
