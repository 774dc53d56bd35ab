import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { parseExact } from '../../protocol/exact-json.ts'
import { messageOf } from '../../protocol/error-message.ts'
import {
  CLIENT_OPTIONS,
  readClientSettings,
  readCount,
  readMilliseconds,
  type ClientSettings,
} from '../connection/client-flags.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../output/exit-code.ts'
import { readResponders } from '../questions/responder-flags.ts'

/** `patchbay fuzz`. */
export type FuzzCommand = ClientSettings & {
  readonly type: 'fuzz'
  /** Tools that may be called. */
  readonly call: readonly string[]
  readonly callReadOnly: boolean
  readonly seed: number
  readonly runs: number
  /** Milliseconds after which no further call begins. */
  readonly durationMs: number
  /** Milliseconds for one answer. */
  readonly answerMs: number
  /** Only these arguments, to repeat a finding. */
  readonly input?: JsonObject
}

const RUNS = 100
const MOST_RUNS = 100_000
const DURATION_MS = 60_000
const ANSWER_MS = 5_000
const SEEDS = 2 ** 32

/** Reads the words after `fuzz`. Throws a `UsageError` that says what was expected. */
export function readFuzz(words: readonly string[]): FuzzCommand | 'help' {
  const at = words.indexOf('--')
  const command = at === -1 ? undefined : words.slice(at + 1)
  const { values, positionals } = parseFlags(at === -1 ? words : words.slice(0, at), {
    ...CLIENT_OPTIONS,
    call: { type: 'string', multiple: true },
    'call-read-only': { type: 'boolean' },
    seed: { type: 'string' },
    runs: { type: 'string' },
    duration: { type: 'string' },
    'answer-timeout': { type: 'string' },
    input: { type: 'string' },
  })
  if (values.help === true) return 'help'
  const [stray] = positionals
  if (stray !== undefined) throw new UsageError(`fuzz takes no "${stray}"; a command goes after --`)
  const { call = [], seed, duration, input } = values
  const answer = values['answer-timeout']
  const callReadOnly = values['call-read-only'] === true
  if (call.length === 0 && !callReadOnly)
    throw new UsageError('fuzz calls no tool without permission: --call TOOL, or --call-read-only')
  if (input !== undefined && (call.length !== 1 || callReadOnly))
    throw new UsageError('--input goes with one tool: --call TOOL')
  const settings = readClientSettings(values, command)
  return {
    type: 'fuzz',
    call,
    callReadOnly,
    seed: seed === undefined ? Math.floor(Math.random() * SEEDS) : readSeed(seed),
    runs: Math.min(values.runs === undefined ? RUNS : readCount(values.runs, '--runs'), MOST_RUNS),
    durationMs: duration === undefined ? DURATION_MS : readMilliseconds(duration, '--duration'),
    answerMs: answer === undefined ? ANSWER_MS : readMilliseconds(answer, '--answer-timeout'),
    ...(input !== undefined && { input: readInput(input) }),
    ...settings,
    // Nobody can answer so many questions.
    responders: { ...readResponders(['sampling=decline', 'elicitation=decline']), ...settings.responders },
  }
}

function readSeed(text: string): number {
  const seed = Number(text)
  if (/^\d+$/.test(text) && seed < SEEDS) return seed
  throw new UsageError(`--seed expects a number from 0 to ${SEEDS - 1}, got "${text}"`)
}

function readInput(text: string): JsonObject {
  let value: unknown
  try {
    value = parseExact(text)
  } catch (cause) {
    throw new UsageError(`--input expects a JSON object: ${messageOf(cause)}`, { cause })
  }
  if (isJsonObject(value)) return value
  throw new UsageError('--input expects a JSON object')
}
