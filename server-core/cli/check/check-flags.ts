import {
  CLIENT_OPTIONS,
  readClientSettings,
  readCount,
  type ClientSettings,
} from '../connection/client-flags.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../output/exit-code.ts'

/** `patchbay check`: which server, which checks, and what they may do. */
export type CheckCommand = ClientSettings & {
  readonly type: 'check'
  readonly grep?: string
  /** Tools that may be called. */
  readonly call: readonly string[]
  readonly callReadOnly: boolean
  readonly slow: boolean
  readonly ends: boolean
  readonly destructive: boolean
  readonly repeat?: number
  readonly seed?: number
  readonly parallel?: number
}

const FLAGS = {
  ...CLIENT_OPTIONS,
  grep: { type: 'string' },
  call: { type: 'string', multiple: true },
  'call-read-only': { type: 'boolean' },
  slow: { type: 'boolean' },
  ends: { type: 'boolean' },
  destructive: { type: 'boolean' },
  repeat: { type: 'string' },
  seed: { type: 'string' },
  parallel: { type: 'string' },
} as const

/** Reads the words after `check`. Throws a `UsageError` that says what was expected. */
export function readCheck(words: readonly string[]): CheckCommand | 'help' {
  const at = words.indexOf('--')
  const ours = at === -1 ? words : words.slice(0, at)
  const command = at === -1 ? undefined : words.slice(at + 1)
  const { values, positionals } = parseFlags(ours, FLAGS)
  if (values.help === true) return 'help'
  const [stray] = positionals
  if (stray !== undefined) throw new UsageError(`check takes no "${stray}"; a command goes after --`)
  const { grep, call = [], slow, ends, destructive, repeat, seed, parallel } = values
  return {
    type: 'check',
    ...readClientSettings(values, command),
    call,
    callReadOnly: values['call-read-only'] === true,
    slow: slow === true,
    ends: ends === true,
    destructive: destructive === true,
    ...(grep !== undefined && { grep }),
    ...(repeat !== undefined && { repeat: readCount(repeat, '--repeat') }),
    ...(seed !== undefined && { seed: readCount(seed, '--seed') }),
    ...(parallel !== undefined && { parallel: readCount(parallel, '--parallel') }),
  }
}
