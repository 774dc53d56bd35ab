import { isJsonObject } from '../protocol/json.ts'
import { isRequestId, type RequestId } from '../protocol/messages.ts'
import type { Frame } from '../transports/tap.ts'

/** What a message has to do with a request, as far as that is known without parsing it. */
export type MessagePart = {
  /** The id by which it asks for an answer. */
  readonly asks?: RequestId | undefined
  /** The id of the request that it answers. */
  readonly answers?: RequestId | undefined
}

const NO_PART: MessagePart = {}

/** The part of a frame: by its value where the transport has it, else by its head if that is written as we write ours. */
export function partOf(frame: Frame): MessagePart {
  if (frame.kind !== 'message') return NO_PART
  const { parsed, bytes } = frame
  if (parsed === undefined) return { answers: answeredId(bytes, 0, bytes.length) }
  return { asks: askedId(parsed), answers: answeringId(parsed) }
}

/** The id by which a message waits for an answer, if it is a request. */
export function askedId(parsed: unknown): RequestId | undefined {
  if (!isJsonObject(parsed) || parsed['method'] === undefined) return undefined
  const id = parsed['id']
  return isRequestId(id) ? id : undefined
}

/** The id of the request that a message answers, if it is an answer. */
export function answeringId(parsed: unknown): RequestId | undefined {
  if (!isJsonObject(parsed) || parsed['method'] !== undefined) return undefined
  const id = parsed['id']
  return isRequestId(id) ? id : undefined
}

const HEAD = Buffer.from('{"jsonrpc":"2.0","')
const ID = Buffer.from('id":')
const METHOD = Buffer.from('method":"notifications/')
const ZERO = 0x30
const COMMA = 0x2c
/** The first letters of the member that follows the id. */
const RESULT = 0x72
const ERROR = 0x65
/** Digits of an id that may be beyond the whole numbers of a double. */
const LONGEST_ID = 16

/** The id in the head of an answer that is written as we write ours, if it is a number; undefined for all else. */
export function answeredId(bytes: Uint8Array, start: number, end: number): number | undefined {
  const first = start + HEAD.length + ID.length
  // Where messages of other kinds differ is looked at before the rest.
  if (first >= end || !stands(ID, bytes, start + HEAD.length) || !stands(HEAD, bytes, start)) return undefined
  let at = first
  let id = 0
  for (; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) break
    id = id * 10 + digit
  }
  const isNumber = at > first && at - first < LONGEST_ID && bytes[at] === COMMA
  const member = bytes[at + 2]
  return isNumber && (member === RESULT || member === ERROR) ? id : undefined
}

/** Notifications that tell something by themselves, whatever else is open. */
const NOTICES = [
  'resources/updated',
  'tools/list_changed',
  'resources/list_changed',
  'prompts/list_changed',
].map((method) => Buffer.from(`${method}"`))

/** Whether a message, written as we write ours, is a notification that nothing else needs to be understood. */
export function isNotice(bytes: Uint8Array, start: number, end: number): boolean {
  const method = start + HEAD.length + METHOD.length
  if (method >= end || !stands(METHOD, bytes, start + HEAD.length) || !stands(HEAD, bytes, start))
    return false
  return NOTICES.some((notice) => stands(notice, bytes, method))
}

function stands(text: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < text.length; index += 1) if (bytes[at + index] !== text[index]) return false
  return true
}
