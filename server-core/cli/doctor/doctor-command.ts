import { UsageError } from '../output/exit-code.ts'
import { parseFlags } from '../flags/parse-flags.ts'

/** `patchbay doctor`. */
export type DoctorCommand = { readonly type: 'doctor'; readonly json: boolean; readonly profile?: string }

const FLAGS = {
  json: { type: 'boolean' },
  profile: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** @throws UsageError */
export function readDoctor(words: readonly string[]): DoctorCommand | 'help' {
  const { values, positionals } = parseFlags(words, FLAGS)
  if (values.help === true) return 'help'
  const [stranger] = positionals
  if (stranger !== undefined) throw new UsageError(`doctor takes only options, got "${stranger}"`)
  return {
    type: 'doctor',
    json: values.json === true,
    ...(values.profile !== undefined && { profile: values.profile }),
  }
}
