import { codePointName, HIDDEN, TERMINAL_ESCAPES } from '../../server-core/protocol/visible-text.ts'

/** A stretch of text that may be shown as it is, or the name of something that would not be seen. */
export interface TextPiece {
  readonly kind: 'text' | 'mark'
  readonly text: string
}

const unseen = new RegExp(`${TERMINAL_ESCAPES.source}|${HIDDEN.source}`, 'gu')

function nameOf(sequence: string): string {
  const isEscape = sequence.startsWith('\u001b') && sequence.length > 1
  return isEscape ? `ESC${sequence.slice(1).replace(/\p{Cc}|\\$/gu, '')}` : codePointName(sequence)
}

/**
 * Cuts text from a peer into what may be shown and marks for what could hide, turn or overwrite it. Joining the
 * texts of all pieces of kind `text` loses nothing but those characters.
 */
export function visiblePieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 0
  for (const match of text.matchAll(unseen)) {
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) })
    pieces.push({ kind: 'mark', text: nameOf(match[0]) })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}
