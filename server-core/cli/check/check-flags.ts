import { CLIENT_OPTIONS, readClientSettings, type ClientSettings } from '../connection/client-flags.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../output/exit-code.ts'
import { readRunSettings, RUN_OPTIONS, type RunSettings } from './report-flags.ts'

/** `patchbay check`: which server, which checks, and what they may do. */
export type CheckCommand = ClientSettings &
  RunSettings & {
    readonly type: 'check'
    /** Tools that may be called. */
    readonly call: readonly string[]
    readonly callReadOnly: boolean
  }

const FLAGS = {
  ...CLIENT_OPTIONS,
  ...RUN_OPTIONS,
  call: { type: 'string', multiple: true },
  'call-read-only': { type: 'boolean' },
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
  const settings = readClientSettings(values, command)
  return {
    type: 'check',
    ...settings,
    ...readRunSettings(values, settings.json),
    call: values.call ?? [],
    callReadOnly: values['call-read-only'] === true,
  }
}
