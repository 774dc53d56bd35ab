/**
 * Terminal escape sequences: CSI; OSC and the other string sequences up to their terminator; the two-byte
 * escapes. An unfinished string sequence takes nothing but its introducer, so no text is swallowed, and no
 * sequence runs over the introducer of another, so the scan is linear.
 */
export const TERMINAL_ESCAPES = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join('|'),
  'g',
)

/**
 * Characters that change how text reads without being seen: controls, direction marks, zero-width and filler
 * characters, tag characters, the supplementary variation selectors, lone surrogates. Line feed, tab and a carriage
 * return before a line feed are left to the caller; any other carriage return overwrites its line on a terminal. A
 * zero-width joiner between two pictographs is part of an emoji.
 */
export const HIDDEN = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160]`,
    String.raw`\r(?!\n)`,
    String.raw`\u034f|\u17b4|\u17b5|[\u180b-\u180f]`,
    String.raw`[\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]`,
    String.raw`[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Cs}]`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d`,
    String.raw`\u200d(?!\p{Extended_Pictographic})`,
  ].join('|'),
  'gu',
)

/** A quick look: text of these characters only needs no work. */
const PLAIN = /^[\n\t -~]*$/

/**
 * Makes a peer's text safe to show: terminal escapes are taken out, hidden and direction-changing characters are
 * written as `⟨U+202E⟩`. Lines, tabs and everything that can be seen stay. For display only; what was on the wire
 * is kept elsewhere.
 */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replace(TERMINAL_ESCAPES, '').replace(HIDDEN, nameCharacter)
}

/**
 * The same on one line: white space of any kind becomes one space, and what is longer than `limit` characters
 * ends in an ellipsis. The length of the answer is at most `limit` code points.
 */
export function visibleLine(text: string, limit: number): string {
  // Enough for the limit even if escapes fall out, without walking through megabytes.
  const start = text.length > limit * 8 ? text.slice(0, limit * 8) : text
  const line = visibleText(start.replaceAll('\r', ' ')).replace(/\s+/gu, ' ').trim()
  if (line.length <= limit && start.length === text.length) return line
  const characters = Array.from(line)
  if (characters.length <= limit && start.length === text.length) return line
  return `${characters.slice(0, limit - 1).join('')}…`
}

function nameCharacter(character: string): string {
  return `⟨${codePointName(character)}⟩`
}

/** `U+202E`: the name of the first code point. */
export function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
