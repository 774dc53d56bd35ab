/**
 * Returns whether a name fits a pattern, where `*` stands for any characters and everything else for itself. The pieces
 * between the stars are looked for from left to right, each once: nothing is ever tried again.
 */
export function fitsPattern(pattern: string, name: string): boolean {
  const pieces = pattern.split('*')
  const [first = '', ...others] = pieces
  const last = others.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false
  const end = name.length - last.length
  let at = first.length
  for (const piece of others) {
    const found = name.indexOf(piece, at)
    if (found === -1 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}
