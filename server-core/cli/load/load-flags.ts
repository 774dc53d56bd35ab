import { readFileSync } from 'node:fs'
import type { LoadCall } from '../../load/run-load.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { isJsonObject } from '../../protocol/json.ts'
import {
  CLIENT_OPTIONS,
  readClientSettings,
  readCount,
  readMilliseconds,
  type ClientSettings,
} from '../connection/client-flags.ts'
import { readTarget, type Target } from '../connection/target.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../output/exit-code.ts'
import { readResponders } from '../questions/responder-flags.ts'

/** `patchbay load TOOL [ARGUMENTS]`. */
export type LoadCommand = ClientSettings & {
  readonly type: 'load'
  readonly list: readonly [LoadCall, ...LoadCall[]]
  readonly clients: number
  readonly inFlight: number
  readonly calls: number
  readonly warmUp: number
  readonly durationMs: number
  readonly rate?: number
  /** A server that is measured in the same run. */
  readonly against?: Target
  readonly maxP95?: number
  /** The most times that the median may be of the baseline's. */
  readonly maxRatio?: number
  readonly maxErrors: number
}

const MOST = { clients: 1_000, inFlight: 1_000, calls: 1_000_000, durationMs: 3_600_000, rate: 100_000 }

/** Reads the words after `load`. Throws a `UsageError` that says what was expected. */
export function readLoad(words: readonly string[]): LoadCommand | 'help' {
  const at = words.indexOf('--')
  const command = at === -1 ? undefined : words.slice(at + 1)
  const { values, positionals } = parseFlags(at === -1 ? words : words.slice(0, at), {
    ...CLIENT_OPTIONS,
    list: { type: 'string' },
    clients: { type: 'string' },
    'in-flight': { type: 'string' },
    calls: { type: 'string' },
    'warm-up': { type: 'string' },
    duration: { type: 'string' },
    rate: { type: 'string' },
    against: { type: 'string' },
    'max-p95': { type: 'string' },
    'max-ratio': { type: 'string' },
    'max-errors': { type: 'string' },
  })
  if (values.help === true) return 'help'
  const { against, rate, duration } = values
  const count = (text: string | undefined, flag: string, usual: number, most: number): number => {
    const chosen = text === undefined ? usual : readCount(text, flag)
    if (chosen <= most) return chosen
    throw new UsageError(`${flag} is ${most} at most, got ${chosen}`)
  }
  const maxRatio = readLimit(values['max-ratio'], '--max-ratio')
  if (maxRatio !== undefined && against === undefined)
    throw new UsageError('--max-ratio compares with --against CMD|URL')
  const maxP95 = readLimit(values['max-p95'], '--max-p95')
  const warmUp = values['warm-up']
  const maxErrors = values['max-errors']
  const settings = readClientSettings(values, command)
  return {
    type: 'load',
    list: readCalls(positionals, values.list),
    clients: count(values.clients, '--clients', 1, MOST.clients),
    inFlight: count(values['in-flight'], '--in-flight', 1, MOST.inFlight),
    calls: count(values.calls, '--calls', 1_000, MOST.calls),
    warmUp: warmUp === '0' ? 0 : count(warmUp, '--warm-up', 20, MOST.calls),
    durationMs: Math.min(
      duration === undefined ? 30_000 : readMilliseconds(duration, '--duration'),
      MOST.durationMs,
    ),
    ...(rate !== undefined && { rate: count(rate, '--rate', 1, MOST.rate) }),
    ...(against !== undefined && { against: readAgainst(against) }),
    ...(maxP95 !== undefined && { maxP95 }),
    ...(maxRatio !== undefined && { maxRatio }),
    maxErrors: maxErrors === undefined || maxErrors === '0' ? 0 : readCount(maxErrors, '--max-errors'),
    ...settings,
    responders: { ...readResponders(['sampling=decline', 'elicitation=decline']), ...settings.responders },
  }
}

function readCalls(positionals: readonly string[], file: string | undefined): LoadCommand['list'] {
  const [tool, text = '{}', stray] = positionals
  if (stray !== undefined)
    throw new UsageError(`load takes a tool and one JSON object, and then came "${stray}"`)
  if (file !== undefined) {
    if (tool !== undefined) throw new UsageError('load takes a tool, or --list FILE')
    return readList(file)
  }
  if (tool === undefined) throw new UsageError('load expects a tool, or --list FILE')
  const input = readJson(text, 'load expects the arguments as a JSON object')
  if (!isJsonObject(input)) throw new UsageError(`load expects the arguments as a JSON object, got "${text}"`)
  return [{ tool, arguments: input }]
}

function readList(file: string): LoadCommand['list'] {
  const expected = `--list expects a file with a JSON array of { "tool": NAME, "arguments": {} }`
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`${expected}: ${messageOf(cause)}`, { cause })
  }
  const value = readJson(text, expected)
  const calls = (Array.isArray(value) ? value : []).map((each: unknown): LoadCall => {
    const { tool, arguments: input = {} } = isJsonObject(each) ? each : {}
    if (typeof tool !== 'string' || !isJsonObject(input)) throw new UsageError(expected)
    return { tool, arguments: input }
  })
  const [first, ...others] = calls
  if (first === undefined) throw new UsageError(expected)
  return [first, ...others]
}

function readJson(text: string, expected: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${expected}: ${messageOf(cause)}`, { cause })
  }
}

/** A number above 0, with a fraction or without. */
function readLimit(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined
  const limit = Number(text)
  if (Number.isFinite(limit) && limit > 0) return limit
  throw new UsageError(`${flag} expects a number above 0, got "${text}"`)
}

/** An address, or a command line as a shell takes it apart. */
function readAgainst(text: string): Target {
  if (/^(https?|wss?):/i.test(text)) return readTarget({ url: text }, undefined)
  const words = text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return readTarget(
    {},
    words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2')),
  )
}
