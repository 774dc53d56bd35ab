import type { Parsed } from './parsed.ts'

const MARKER = '=?base64?'
const END = '?='
const PLAIN = /^[\x20-\x7e]*$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Writes a text as the value of `Mcp-Name` or `Mcp-Param-*` (2026-07-28, Streamable HTTP: header encoding): plain
 * where it is visible ASCII without edge whitespace, else `=?base64?…?=` over its UTF-8. The empty text and tabs,
 * which intermediaries treat differently, are encoded too. Unpaired surrogates become U+FFFD.
 */
export function encodeHeaderValue(text: string): string {
  const ambiguous = text.startsWith(MARKER) && text.endsWith(END)
  if (text !== '' && !ambiguous && text.trim() === text && PLAIN.test(text)) return text
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return `${MARKER}${btoa(binary)}${END}`
}

/**
 * Reads the value of `Mcp-Name` or `Mcp-Param-*` (2026-07-28, Streamable HTTP: header encoding). Whitespace around
 * it is not part of it; a value that has the marker or the end alone is plain. Never throws: base64 or UTF-8 that
 * is not valid comes back as the reason.
 */
export function decodeHeaderValue(value: string): Parsed<string> {
  const trimmed = value.replace(/^[ \t]+|[ \t]+$/g, '')
  if (!trimmed.startsWith(MARKER) || !trimmed.endsWith(END) || trimmed.length < MARKER.length + END.length) {
    return { ok: true, value: trimmed }
  }
  const encoded = trimmed.slice(MARKER.length, -END.length)
  if (!BASE64.test(encoded))
    return { ok: false, reason: 'its base64 is not valid (standard alphabet, padded)' }
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { ok: false, reason: 'its base64 does not hold valid UTF-8' }
  }
}
