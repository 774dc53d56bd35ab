import type { Match } from '../../../replay/answer-book.ts'
import { CommandLineError, splitCommandLine } from '../../../host/paste/split-command-line.ts'
import { readTarget, type Target } from '../../connection/target.ts'
import { UsageError } from '../../output/exit-code.ts'

const MATCHES: readonly Match[] = ['exact', 'shape', 'target']

/** What `serve --replay` was asked for. */
export type ReplayFlags = {
  /** A recording's file, folder or id. */
  readonly recording: string
  readonly match: Match
  readonly once: boolean
  /** Recorded delays times this. */
  readonly latency: number
  /** The server that answers what the recording has no answer for. */
  readonly otherwise?: Target
}

export const REPLAY_FLAGS = {
  replay: { type: 'string' },
  match: { type: 'string' },
  once: { type: 'boolean' },
  latency: { type: 'string' },
  else: { type: 'string' },
} as const

/** Reads the flags of a replay; undefined if there is none. Throws a `UsageError`. */
export function readReplayFlags(values: {
  readonly replay?: string | undefined
  readonly match?: string | undefined
  readonly once?: boolean | undefined
  readonly latency?: string | undefined
  readonly else?: string | undefined
}): ReplayFlags | undefined {
  const { replay, match = 'exact', once = false, latency = '0', else: otherwise } = values
  if (replay === undefined) {
    const stray = (['match', 'once', 'latency', 'else'] as const).find((name) => values[name] !== undefined)
    if (stray !== undefined)
      throw new UsageError(`--${stray} is about a recording: patchbay serve --replay FILE --${stray}`)
    return undefined
  }
  if (replay === '') throw new UsageError('--replay expects a recording: its file, folder or id')
  const known = MATCHES.find((name) => name === match)
  if (known === undefined)
    throw new UsageError(`--match expects one of ${MATCHES.join(', ')}, got "${match}"`)
  if (!/^\d{1,3}(?:\.\d{1,3})?$/.test(latency))
    throw new UsageError(`--latency expects a factor such as 0, 0.5 or 1, got "${latency}"`)
  return {
    recording: replay,
    match: known,
    once,
    latency: Number(latency),
    ...(otherwise !== undefined && { otherwise: readOtherwise(otherwise) }),
  }
}

/** Reads `--else`: the address of a server, or its command. @throws UsageError */
function readOtherwise(text: string): Target {
  if (/^(?:https?|wss?):/.test(text)) return readTarget({ url: text }, undefined)
  try {
    const words = splitCommandLine(text)
    if (words.length === 0) throw new UsageError('--else expects the address or the command of a server')
    return readTarget({}, words)
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error
    throw new UsageError(`--else: ${error.message}`, { cause: error })
  }
}
