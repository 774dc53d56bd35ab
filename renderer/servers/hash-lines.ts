/** A SHA-256 in groups of four, on two lines, so that two of them can be compared by eye. */
export function hashLines(hash: string): string {
  const groups = hash.replace(/^sha256[:-]/, '').match(/.{1,4}/g) ?? []
  const rows: string[] = []
  for (let start = 0; start < groups.length; start += 8) rows.push(groups.slice(start, start + 8).join(' '))
  return `sha256  ${rows.join('\n        ')}`
}
