import { isUtf8 } from 'node:buffer'

const LF = 0x0a
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d

/**
 * Whether the bytes of a message can be a value within a line: JSON of one line. Those that a transport took for a
 * message were parsed; what became of them when secrets went out was not.
 */
export function canStandAsItIs(bytes: Uint8Array, isMasked: boolean): boolean {
  const first = bytes[0]
  const last = bytes[bytes.byteLength - 1]
  const isValue =
    (first === OPEN_BRACE && last === CLOSE_BRACE) || (first === OPEN_BRACKET && last === CLOSE_BRACKET)
  return isValue && !bytes.includes(LF) && isUtf8(bytes) && (!isMasked || isJson(bytes))
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(viewOf(bytes).toString())
    return true
  } catch {
    return false
  }
}

/** The member that has bytes of any kind, with a comma before it: none if there are none. */
export function contentMember(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return ''
  const view = viewOf(bytes)
  return isUtf8(bytes)
    ? `,"text":${JSON.stringify(view.toString())}`
    : `,"base64":"${view.toString('base64')}"`
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
