import { parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../output/exit-code.ts'

/** `patchbay test`: runs Playwright Test. */
export type TestCommand = {
  readonly type: 'test'
  /** The server of the ready-made configuration; that of the files if missing. */
  readonly server?: { readonly command: string; readonly args: readonly string[] } | { readonly url: string }
  readonly revisions: readonly string[]
  readonly transports: readonly string[]
  /** Files to run; all that are found if empty. */
  readonly files: readonly string[]
  /** Flags that Playwright gets as they are. */
  readonly passed: readonly string[]
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  url: { type: 'string' },
  revision: { type: 'string', multiple: true },
  transport: { type: 'string', multiple: true },
  grep: { type: 'string', short: 'g' },
  project: { type: 'string', multiple: true },
  reporter: { type: 'string' },
  retries: { type: 'string' },
  workers: { type: 'string', short: 'j' },
  timeout: { type: 'string' },
  shard: { type: 'string' },
  config: { type: 'string', short: 'c' },
  ui: { type: 'boolean' },
  list: { type: 'boolean' },
  'last-failed': { type: 'boolean' },
  'update-snapshots': { type: 'boolean', short: 'u' },
} as const

const OWN: ReadonlySet<string> = new Set(['help', 'url', 'revision', 'transport'])

/** Reads the words after `test`. Throws a `UsageError` that says what was expected. */
export function readTest(words: readonly string[]): TestCommand | 'help' {
  const at = words.indexOf('--')
  const program = at === -1 ? [] : words.slice(at + 1)
  const { values, positionals } = parseFlags(at === -1 ? words : words.slice(0, at), OPTIONS)
  if (values.help === true) return 'help'
  const { url, revision = [], transport = [], config } = values
  const [command, ...args] = program
  if (url !== undefined && command !== undefined)
    throw new UsageError('test takes one server: --url URL or -- COMMAND at the end')
  const isOwn = url !== undefined || command !== undefined || revision.length > 0 || transport.length > 0
  if (config !== undefined && isOwn)
    throw new UsageError('with --config the server, revisions and transports are those of the configuration')
  const passed = Object.entries(values).flatMap(([name, value]) => {
    if (OWN.has(name)) return []
    const each = Array.isArray(value) ? (value as readonly string[]) : [value]
    return each.map((one) => (one === true ? `--${name}` : `--${name}=${String(one)}`))
  })
  return {
    type: 'test',
    ...(url !== undefined && { server: { url } }),
    ...(command !== undefined && { server: { command, args } }),
    revisions: revision,
    transports: transport,
    files: positionals,
    passed,
  }
}
