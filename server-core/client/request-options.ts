import type { JsonObject } from '../protocol/json.ts'
import type { CacheUse, FromCache } from './caching/cached-requests.ts'
import type { Progress } from './channel.ts'
import type { LogLevel } from '../protocol/log-level.ts'
import type { Rounds } from './rounds/rounds.ts'

export type RequestOptions = {
  /** Aborting cancels the request, the way its revision and transport have for that. */
  readonly signal?: AbortSignal
  /** Milliseconds without answer or progress; the connection's default unless told. */
  readonly timeoutMs?: number
  /** Milliseconds in all; ten times `timeoutMs` unless told. */
  readonly maximumMs?: number
  readonly onProgress?: (progress: Progress) => void
  /** The parameters as JSON text instead: every number goes out as it is written here. */
  readonly paramsText?: string
  /** `manual`: a result that asks for input is given as it is, even if there are responders. */
  readonly rounds?: 'auto' | 'manual'
  /** From which severity on this request's log messages are wanted (2026-07-28); the connection's unless told. */
  readonly logLevel?: LogLevel
  /** What the cache is for this request, where its result may be kept (2026-07-28); `use` unless told. */
  readonly cache?: CacheUse
  /** A result that is too old is given if the server cannot be asked. */
  readonly staleIfError?: boolean
}

/** An answer, and the bytes of the message it came in. */
export type RequestResult = {
  readonly result: JsonObject
  readonly bytes: Uint8Array
  /** Missing if it was asked for now. */
  readonly fromCache?: FromCache
}

/** What one round of a request came to. */
export type RoundOutcome = RequestResult &
  (
    | { readonly type: 'complete' }
    /** Questions to answer before `sendRound` is called again. */
    | { readonly type: 'ask'; readonly rounds: Rounds }
  )
