import { codePointName, HIDDEN, TERMINAL_ESCAPES } from '../../server-core/protocol/visible-text.ts'

/** A stretch of text that may be shown as it is, or the name of something that would not be seen. */
export interface TextPiece {
  readonly kind: 'text' | 'mark'
  readonly text: string
}

const unseen = new RegExp(`${TERMINAL_ESCAPES.source}|${HIDDEN.source}`, 'gu')

/** White space that looks like a space or like nothing, too. */
const unclear = new RegExp(`${unseen.source}|\\r?\\n|[^\\S ]|^ +| +$`, 'gu')

function nameOf(sequence: string): string {
  const isEscape = sequence.startsWith('\u001b') && sequence.length > 1
  return isEscape ? `ESC${sequence.slice(1).replace(/\p{Cc}|\\$/gu, '')}` : codePointName(sequence)
}

/** How a mark of white space is shown: line breaks stay line breaks. */
function markOf(sequence: string): readonly TextPiece[] {
  if (sequence.endsWith('\n')) {
    return [
      { kind: 'mark', text: '⏎' },
      { kind: 'text', text: '\n' },
    ]
  }
  if (sequence === '\t') return [{ kind: 'mark', text: '⇥' }]
  return [{ kind: 'mark', text: /^ +$/.test(sequence) ? '␣'.repeat(sequence.length) : nameOf(sequence) }]
}

/**
 * Cuts text from a peer into what may be shown and marks for what could hide, turn or overwrite it. Joining the
 * texts of all pieces of kind `text` loses nothing but those characters.
 *
 * @param isExact marks line breaks, tabs, spaces at both ends and all white space but the plain space as well
 */
export function visiblePieces(text: string, isExact = false): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 0
  for (const match of text.matchAll(isExact ? unclear : unseen)) {
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) })
    if (isExact) pieces.push(...markOf(match[0]))
    else pieces.push({ kind: 'mark', text: nameOf(match[0]) })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}
