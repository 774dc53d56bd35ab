const LINE = /[^\r\n]*(?:\r\n|\r|\n|$)/g
const BYTE_ORDER_MARK = '\uFEFF'

/** The text of a file as it is edited: `\n` between lines, and no byte order mark. */
export function editedText(text: string): string {
  const bare = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  return bare.replaceAll(/\r\n?/g, '\n')
}

/**
 * Edited text as it goes to the disk: its byte order mark and line ends are those that the file has. Lines at the
 * beginning and at the end that were not changed keep their own; others get the one that the file has most.
 */
export function withLineEndsOf(before: string, text: string): string {
  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const old = linesOf(mark === '' ? before : before.slice(1))
  const now = linesOf(text)
  const end = usualEnd(old)
  if (end === '\n' && old.every((line) => line.end !== '\r\n' && line.end !== '\r')) return mark + text
  let head = 0
  const shorter = Math.min(old.length, now.length)
  while (head < shorter && old[head]?.text === now[head]?.text) head += 1
  let tail = 0
  while (tail < shorter - head && old.at(-1 - tail)?.text === now.at(-1 - tail)?.text) tail += 1
  const written = now.map((line, place) => {
    if (line.end === '') return line.text
    const kept =
      place < head
        ? old[place]
        : place >= now.length - tail
          ? old[place - now.length + old.length]
          : undefined
    return line.text + (kept === undefined || kept.end === '' ? end : kept.end)
  })
  return mark + written.join('')
}

type Line = { readonly text: string; readonly end: string }

function linesOf(text: string): Line[] {
  return (text.match(LINE) ?? []).map((line) => {
    const bare = line.replace(/[\r\n]+$/, '')
    return { text: bare, end: line.slice(bare.length) }
  })
}

function usualEnd(lines: readonly Line[]): string {
  const counts = { '\n': 0, '\r\n': 0, '\r': 0 }
  for (const { end } of lines) if (end === '\n' || end === '\r\n' || end === '\r') counts[end] += 1
  if (counts['\r\n'] > counts['\n']) return '\r\n'
  return counts['\r'] > counts['\n'] ? '\r' : '\n'
}
