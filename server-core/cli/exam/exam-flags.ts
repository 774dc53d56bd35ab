import type { WireTransport } from '../../protocol/transport-kind.ts'
import { SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import { readRunSettings, RUN_OPTIONS, type RunSettings } from '../check/report-flags.ts'
import { readMilliseconds } from '../connection/client-flags.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../output/exit-code.ts'

/** `patchbay exam`: which client, which checks. */
export type ExamCommand = RunSettings & {
  readonly type: 'exam'
  readonly json: boolean
  readonly quiet?: true
  readonly timeoutMs?: number
  readonly revision?: Revision
  readonly transport: WireTransport
  /** The client and its arguments; it is awaited if missing. */
  readonly client?: readonly [string, ...string[]]
}

const FLAGS = {
  ...RUN_OPTIONS,
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  timeout: { type: 'string' },
  revision: { type: 'string' },
  transport: { type: 'string' },
} as const

/** Reads the words after `exam`. Throws a `UsageError` that says what was expected. */
export function readExam(words: readonly string[]): ExamCommand | 'help' {
  const at = words.indexOf('--')
  const ours = at === -1 ? words : words.slice(0, at)
  const { values, positionals } = parseFlags(ours, FLAGS)
  if (values.help === true) return 'help'
  const [stray] = positionals
  if (stray !== undefined) throw new UsageError(`exam takes no "${stray}"; a client goes after --`)
  const [command, ...args] = at === -1 ? [] : words.slice(at + 1)
  if (at !== -1 && command === undefined) throw new UsageError('there is no client after --')
  const json = values.json === true
  const usesUrl = args.some((word) => word.includes('{url}'))
  return {
    type: 'exam',
    json,
    ...readRunSettings(values, json),
    transport: readTransport(values.transport, command === undefined || usesUrl),
    ...(values.quiet === true && { quiet: true as const }),
    ...(values.timeout !== undefined && { timeoutMs: readMilliseconds(values.timeout, '--timeout') }),
    ...(values.revision !== undefined && { revision: readRevision(values.revision) }),
    ...(command !== undefined && { client: [command, ...args] as const }),
  }
}

const BY_ADDRESS: readonly WireTransport[] = ['http', 'sse', 'websocket']

function readTransport(text: string | undefined, hasAddress: boolean): WireTransport {
  if (text === undefined) return hasAddress ? 'http' : 'stdio'
  if (!hasAddress && text !== 'stdio')
    throw new UsageError(`--transport ${text} needs {url} in the arguments of the client`)
  const transport = BY_ADDRESS.find((known) => known === text)
  if (transport !== undefined) return transport
  if (text === 'stdio' && !hasAddress) return 'stdio'
  throw new UsageError(`--transport expects one of ${BY_ADDRESS.join(', ')}, got "${text}"`)
}

function readRevision(text: string): Revision {
  const revision = SUPPORTED.find((known) => known === text)
  if (revision !== undefined) return revision
  throw new UsageError(`--revision expects one of ${SUPPORTED.join(', ')}, got "${text}"`)
}
