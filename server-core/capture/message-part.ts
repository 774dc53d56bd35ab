import { isJsonObject } from '../protocol/json.ts'
import { isRequestId, type RequestId } from '../protocol/messages.ts'
import type { MessageId } from './message-id.ts'

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

/** Whether a request is one by which the two sides learn who the other is. */
export function isHandshake(parsed: unknown): boolean {
  if (!isJsonObject(parsed)) return false
  const method = parsed['method']
  return method === 'initialize' || method === 'server/discover'
}

const HEAD = Buffer.from('{"jsonrpc":"2.0","')
const ID = Buffer.from('id":')
const METHOD = Buffer.from('method":"notifications/')
const ZERO = 0x30
const COMMA = 0x2c
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** The first letters of the member that follows the id. */
const RESULT = 0x72
const ERROR = 0x65
/** Digits of an id that may be beyond the whole numbers of a double. */
const LONGEST_NUMBER = 16

/** Finds the id in the head of an answer that is written as we write ours; reports whether there is one. */
export function findAnsweredId(bytes: Uint8Array, start: number, end: number, id: MessageId): boolean {
  const first = start + HEAD.length + ID.length
  // Where messages of other kinds differ is looked at before the rest.
  if (first >= end || !stands(ID, bytes, start + HEAD.length) || !stands(HEAD, bytes, start)) return false
  const last =
    bytes[first] === QUOTE ? findText(bytes, first + 1, end, id) : findNumber(bytes, first, end, id)
  const member = bytes[last + 2]
  return last > 0 && last + 2 < end && bytes[last] === COMMA && (member === RESULT || member === ERROR)
}

/** Returns where the id ends, or -1. */
function findNumber(bytes: Uint8Array, first: number, end: number, id: MessageId): number {
  let at = first
  let number = 0
  for (; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) break
    number = number * 10 + digit
  }
  if (at === first || at - first >= LONGEST_NUMBER) return -1
  id.setNumber(number)
  return at
}

/** Returns where the id ends with its quote, or -1. */
function findText(bytes: Uint8Array, first: number, end: number, id: MessageId): number {
  let at = first
  while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  if (at >= end) return -1
  id.setText(bytes, first, at)
  return at + 1
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
