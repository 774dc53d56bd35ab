import { RecordingError } from '../capture/recording/recording-error.ts'
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

/** A frame with the messages in it, of whatever kept it. */
export type FrameOfMessages = {
  readonly number: number
  /** Milliseconds. */
  readonly at: number
  readonly direction: 'sent' | 'received'
  /** The number of the connection: ids are unique in one. */
  readonly connection: number
  readonly messages: readonly unknown[]
}

/** Returns the requests and notifications of frames, in order, with their answers. Invalid messages are left out. */
export function callsOfFrames(frames: Iterable<FrameOfMessages>): RecordedCall[] {
  const reader = new CallReader()
  for (const frame of frames) reader.read(frame)
  return reader.calls()
}

/**
 * Reads the requests and notifications of a recording, in order, with their answers. Invalid messages are left out.
 *
 * @returns rejects with a `RecordingError` for more than 256 MiB of messages
 */
export async function recordedCalls(view: RecordingView): Promise<RecordedCall[]> {
  const reader = new CallReader()
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
      const messages = Array.isArray(parsed.value) ? (parsed.value as unknown[]) : [parsed.value]
      const { number, at, direction, connection } = frame
      reader.read({ number, at, direction, connection: connection.number, messages })
    }
  }
  return reader.calls()
}

class CallReader {
  readonly #calls: RecordedCall[] = []
  readonly #open = new Map<string, { readonly place: number; readonly at: number }>()

  calls(): RecordedCall[] {
    return this.#calls
  }

  read(frame: FrameOfMessages): void {
    for (const message of frame.messages) readOne(message, frame, this.#calls, this.#open)
  }
}

function readOne(
  message: unknown,
  frame: FrameOfMessages,
  calls: RecordedCall[],
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

function openKey(
  { connection }: FrameOfMessages,
  direction: 'sent' | 'received',
  id: string | number,
): string {
  return `${connection} ${direction} ${JSON.stringify(id)}`
}

function newCall(
  kind: RecordedCall['kind'],
  { number, direction, at }: FrameOfMessages,
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
