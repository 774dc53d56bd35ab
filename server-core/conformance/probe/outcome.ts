import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import type { HttpExchange } from './http-exchange.ts'
import type { ResponseHead } from './http-response-parser.ts'

type Common = {
  /** The frame that was sent. */
  readonly sent: CapturedFrame
  /** The HTTP exchange that carried it. */
  readonly exchange?: HttpExchange
  /** The head of its response, where it is there. */
  readonly http?: ResponseHead
}

/** What became of a request. */
export type Outcome = Common &
  (
    | {
        readonly type: 'result'
        readonly result: JsonObject
        readonly message: JsonObject
        readonly frame: CapturedFrame
      }
    | {
        readonly type: 'error'
        /** As a number, also where it is written as a string: its type is a matter of one check. */
        readonly code: unknown
        readonly text: unknown
        readonly data: unknown
        readonly message: JsonObject
        readonly frame: CapturedFrame
      }
    /** A response that is neither a result nor an error. */
    | { readonly type: 'malformed'; readonly message: JsonObject; readonly frame: CapturedFrame }
    /** The HTTP exchange ended without a JSON-RPC response to it. */
    | { readonly type: 'http'; readonly status: number; readonly frame: CapturedFrame | undefined }
    /** Nothing came in the time allowed. */
    | {
        readonly type: 'silence'
        readonly waitedMs: number
        /** A request that was sent later has been answered. */
        readonly isPassed?: true
        readonly frame?: undefined
      }
    /** The connection ended. */
    | { readonly type: 'closed'; readonly reason: string; readonly frame?: undefined }
  )

/** Reads a response. */
export function outcomeOf(message: JsonObject, frame: CapturedFrame, common: Common): Outcome {
  const { result, error } = message
  if (isJsonObject(error)) {
    return {
      ...common,
      type: 'error',
      code: codeOf(error['code']),
      text: error['message'],
      data: error['data'],
      message,
      frame,
    }
  }
  if (isJsonObject(result)) return { ...common, type: 'result', result, message, frame }
  return { ...common, type: 'malformed', message, frame }
}

function codeOf(code: unknown): unknown {
  return typeof code === 'string' && /^-?\d+$/.test(code) ? Number(code) : code
}

/** The outcome in a few words, for a finding. */
export function describeOutcome(outcome: Outcome): string {
  const status = outcome.http === undefined ? '' : ` (HTTP ${outcome.http.status})`
  switch (outcome.type) {
    case 'result':
      return `a result${status}: ${shortJson(outcome.result)}`
    case 'error':
      return `error ${shortJson(outcome.code)} ${shortJson(outcome.text)}${status}`
    case 'malformed':
      return `${shortJson(outcome.message)}${status}`
    case 'http':
      return `HTTP ${outcome.status} without a response`
    case 'silence':
      return outcome.isPassed === true
        ? 'no answer, while a later request was answered'
        : `no answer within ${outcome.waitedMs} ms`
    case 'closed':
      return `the connection ended: ${outcome.reason}`
  }
}

/** A value as JSON of at most 120 characters. */
export function shortJson(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}
