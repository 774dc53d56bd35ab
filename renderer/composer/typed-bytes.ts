import { composerText } from './text.ts'
/**
 * The text without the line breaks and the indentation between its tokens; what stands inside strings stays, so that
 * even text that is not JSON keeps all but its layout.
 */
export function onOneLine(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"?|\s*[\r\n]\s*/g, (token) =>
    token.startsWith('"') ? token : '',
  )
}

export type TypedHex =
  | { readonly ok: true; readonly base64: string; readonly bytes: number }
  | { readonly ok: false; readonly problem: string }

/** Bytes typed as pairs of hexadecimal digits, with spaces and line breaks wherever they please. */
export function readHex(text: string): TypedHex {
  const digits = text.replace(/\s+/g, '')
  const stray = /[^0-9a-f]/i.exec(digits)
  if (stray !== null) return { ok: false, problem: composerText.typedBytes.invalidHexDigit(stray[0]) }
  if (digits.length % 2 === 1) return { ok: false, problem: 'the last byte has one digit; each has two' }
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_, place) =>
    Number.parseInt(digits.slice(place * 2, place * 2 + 2), 16),
  )
  return { ok: true, base64: base64Of(bytes), bytes: bytes.length }
}

/** The bytes of a text as `readHex` reads them, sixteen to a line. */
export function hexOf(text: string): string {
  const pairs = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'))
  const lines = Array.from({ length: Math.ceil(pairs.length / 16) }, (_, line) =>
    pairs.slice(line * 16, line * 16 + 16).join(' '),
  )
  return lines.join('\n')
}

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

export type TypedHeaders =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string | null>> }
  | { readonly ok: false; readonly problem: string }

/** HTTP headers, one a line: `Name: value` replaces ours, `-Name` removes ours. */
export function readHeaders(text: string): TypedHeaders {
  const headers: Record<string, string | null> = {}
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const without = /^-\s*([!#$%&'*+.^_`|~\w-]+)$/.exec(line)
    const named = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*)$/.exec(line)
    if (without?.[1] !== undefined) headers[without[1]] = null
    else if (named?.[1] !== undefined) headers[named[1]] = named[2] ?? ''
    else return { ok: false, problem: composerText.typedBytes.invalidHeaderLine(line) }
  }
  return { ok: true, headers }
}
