import { RecordingError } from '../capture/recording/recording-error.ts'
import type { RecordedFrame } from '../capture/recording/recording-format.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import { classifyMessage } from '../protocol/messages.ts'
import { parseMessage } from '../protocol/parse.ts'
import type { RecordingView } from '../recordings/recording-view.ts'
import { canonicalJson } from '../protocol/canonical-json.ts'
import { isOfOneConnection } from './connection-values.ts'
import { withoutVolatile } from './volatile-values.ts'

/** Frames that are read at once. */
const SLICE = 500
/** Bytes of messages that are held in memory. */
const MOST_BYTES = 256 * 1_024 * 1_024

/** How a recorded request ended. `none`: the recording has no answer, or it was a notification. */
export type RecordedOutcome =
  | { readonly type: 'result'; readonly value: unknown }
  | { readonly type: 'error'; readonly value: unknown }
  | { readonly type: 'none' }

/** A request or notification of a recording, with its answer. */
export type RecordedCall = {
  /** The number of its frame in the recording. */
  readonly frame: number
  readonly kind: 'request' | 'notification'
  /** Of a request. */
  readonly id?: string | number
  /** `sent`: from the client to the server. */
  readonly direction: 'sent' | 'received'
  readonly method: string
  /** The name, URI or argument it is about; empty if its method has none. */
  readonly target: string
  readonly params: JsonObject
  readonly outcome: RecordedOutcome
  /** Milliseconds since 1970. */
  readonly at: number
  /** Milliseconds until the answer. */
  readonly durationMs?: number
  /** The number of the frame of the answer. */
  readonly answerFrame?: number
  /** The same for calls that ask the same, apart from values of the run. */
  readonly key: string
}

/**
 * Reads the requests and notifications of a recording, in order, with their answers. Invalid messages are left out.
 *
 * @returns rejects with a `RecordingError` for more than 256 MiB of messages
 */
export async function recordedCalls(view: RecordingView): Promise<RecordedCall[]> {
  const calls: (RecordedCall | undefined)[] = []
  const open = new Map<string, { readonly place: number; readonly at: number }>()
  let bytes = 0
  for (let start = 0; start < view.frames; start += SLICE) {
    const numbers = Array.from({ length: Math.min(SLICE, view.frames - start) }, (_, n) => start + n)
    for (const frame of await view.read(numbers)) {
      if (frame.kind !== 'message') continue
      bytes += frame.bytes.length
      if (bytes > MOST_BYTES)
        throw new RecordingError(
          'unreadable',
          `${view.place} has more than 256 MiB of messages, which is too much to compare: expected a shorter recording`,
        )
      const parsed = parseMessage(frame.bytes, DEFAULT_LIMITS)
      if (!parsed.ok) continue
      for (const message of Array.isArray(parsed.value) ? (parsed.value as unknown[]) : [parsed.value])
        readOne(message, frame, calls, open)
    }
  }
  return calls.filter((call) => call !== undefined)
}

function readOne(
  message: unknown,
  frame: RecordedFrame & { readonly number: number },
  calls: (RecordedCall | undefined)[],
  open: Map<string, { readonly place: number; readonly at: number }>,
): void {
  const classified = classifyMessage(message)
  switch (classified.type) {
    case 'request': {
      const { method, params, id } = classified.message
      open.set(openKey(frame, frame.direction, id), { place: calls.length, at: frame.at })
      calls.push({ ...newCall('request', frame, method, params), id })
      return
    }
    case 'notification': {
      const { method, params } = classified.message
      calls.push(newCall('notification', frame, method, params))
      return
    }
    case 'result':
    case 'error': {
      const { message: answer } = classified
      if (answer.id === undefined) return
      const asked = frame.direction === 'sent' ? 'received' : 'sent'
      const key = openKey(frame, asked, answer.id)
      const request = open.get(key)
      const call = request && calls[request.place]
      if (request === undefined || call === undefined) return
      open.delete(key)
      const outcome: RecordedOutcome =
        classified.type === 'result'
          ? { type: 'result', value: classified.message.result }
          : { type: 'error', value: classified.message.error }
      calls[request.place] = {
        ...call,
        outcome,
        durationMs: frame.at - request.at,
        answerFrame: frame.number,
      }
      return
    }
    case 'batch':
    case 'invalid':
      return
  }
}

function openKey(frame: RecordedFrame, direction: 'sent' | 'received', id: string | number): string {
  return `${frame.connection.number} ${direction} ${JSON.stringify(id)}`
}

function newCall(
  kind: RecordedCall['kind'],
  { number, direction, at }: RecordedFrame & { readonly number: number },
  method: string,
  params: unknown,
): RecordedCall {
  const given = isJsonObject(params) ? params : {}
  const target = targetOf(given)
  const asked = Object.entries(given).filter(([name]) => name !== '_meta' && !isOfOneConnection(name))
  const key = `${direction} ${method} ${canonicalJson(Object.fromEntries(asked), withoutVolatile)}`
  return { frame: number, at, kind, direction, method, target, params: given, outcome: { type: 'none' }, key }
}

/** Returns what a request is about: the name or URI of its entry, or of its reference; empty if it has none. */
export function targetOf(params: JsonObject): string {
  const ref = isJsonObject(params['ref']) ? params['ref'] : params
  for (const member of ['name', 'uri']) {
    const value = ref[member]
    if (typeof value === 'string') return value
  }
  return ''
}
