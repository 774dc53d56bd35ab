import path from 'node:path'
import { DRIFT_TYPES, type DriftType } from '../../contract-lock/compare-locks.ts'
import {
  CLIENT_OPTIONS,
  readClientSettings,
  readCount,
  type ClientSettings,
} from '../connection/client-flags.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../output/exit-code.ts'

/** Differences that make a run fail. */
export type FailingDrift = DriftType | 'breaking' | 'any'

/** `patchbay lock [FILE]`. */
export type LockCommand = ClientSettings & {
  readonly type: 'lock'
  readonly file: string
  /**
   * - `create`: writes the file if there is none, and compares with it otherwise
   * - `check`: compares and writes nothing
   * - `update`: compares and writes the file
   */
  readonly mode: 'create' | 'check' | 'update'
  readonly failOn: readonly FailingDrift[]
  /** The most estimated tokens that all tools together may take. */
  readonly budget?: number
}

const FAILING: readonly FailingDrift[] = ['breaking', 'any', ...DRIFT_TYPES]

/** Reads the words after `lock`. Throws a `UsageError` that says what was expected. */
export function readLock(words: readonly string[]): LockCommand | 'help' {
  const at = words.indexOf('--')
  const command = at === -1 ? undefined : words.slice(at + 1)
  const { values, positionals } = parseFlags(at === -1 ? words : words.slice(0, at), {
    ...CLIENT_OPTIONS,
    check: { type: 'boolean' },
    update: { type: 'boolean' },
    'fail-on': { type: 'string', multiple: true },
    budget: { type: 'string' },
  })
  if (values.help === true) return 'help'
  const [file = 'mcp.lock.json', stray] = positionals
  if (stray !== undefined)
    throw new UsageError(`lock takes one file, got "${stray}"; a command goes after --`)
  const { check = false, update = false, budget } = values
  if (check && update) throw new UsageError('--check and --update exclude each other')
  return {
    type: 'lock',
    file: path.resolve(file),
    mode: check ? 'check' : update ? 'update' : 'create',
    failOn: readFailing(values['fail-on']),
    ...(budget !== undefined && { budget: readCount(budget, '--budget') }),
    ...readClientSettings(values, command),
  }
}

function readFailing(texts: readonly string[] = ['breaking']): readonly FailingDrift[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => {
      const known = FAILING.find((each) => each === text.trim())
      if (known !== undefined) return known
      throw new UsageError(`--fail-on expects ${FAILING.join(', ')}, got "${text}"`)
    })
}
