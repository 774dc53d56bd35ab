/** A stretch of text that may be shown as it is, or the name of something that would not be seen. */
export interface TextPiece {
  readonly kind: 'text' | 'mark'
  readonly text: string
}

// A terminal's escape sequence (CSI, OSC, or two characters), or one character that is hidden, turns the writing
// direction, or controls. Tab, line feed and carriage return before it are ordinary. Written with \u escapes so
// that the source itself has no hidden character.
const unseen = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -\\/]*[@-\\~]',
    '\\u001b\\][^\\u0007\\u001b]{0,200}(?:\\u0007|\\u001b\\\\)',
    '\\u001b[@-Z\\\\^_]',
    '[\\p{Cc}--[\\t\\n\\r]]',
    '\\r(?!\\n)',
    '[\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\u00a0\\u115f\\u1160\\u2000-\\u200a\\u202f\\u205f\\u3000\\u3164\\uffa0\\ufe00-\\ufe0d]',
  ].join('|'),
  'gv',
)

/** Joins the parts of one emoji (a family, a flag with a colour); between two pictures it hides nothing. */
const joinsPictures = /\p{Extended_Pictographic}\ufe0f?$/v
const startsPicture = /^\p{Extended_Pictographic}/v

function nameOf(sequence: string): string {
  if (sequence.startsWith('\u001b') && sequence.length > 1)
    return `ESC${sequence.slice(1).replace(/\p{Cc}|\\$/gv, '')}`
  const code = sequence.codePointAt(0) ?? 0
  if (code === 0x1b) return 'ESC'
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * Cuts text from a peer into what may be shown and marks for what could hide or turn it: control and format
 * characters, bidirectional overrides, odd spaces and terminal escapes. Joining the texts of all pieces loses
 * nothing but those characters.
 */
export function visiblePieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 0
  for (const match of text.matchAll(unseen)) {
    const end = match.index + match[0].length
    const joiner =
      match[0] === '\u200d' &&
      joinsPictures.test(text.slice(Math.max(0, match.index - 3), match.index)) &&
      startsPicture.test(text.slice(end, end + 2))
    if (joiner) continue
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) })
    pieces.push({ kind: 'mark', text: nameOf(match[0]) })
    from = end
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}

/** The same as one string, for places that take no elements (labels, titles): marks in angle quotes. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : `‹${piece.text}›`))
    .join('')
}
