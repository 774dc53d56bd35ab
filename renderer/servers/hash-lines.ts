/** Formats a SHA-256 on two lines in groups of four characters, for comparison by eye. */
export function hashLines(hash: string): string {
  const groups = hash.replace(/^sha256[:-]/, '').match(/.{1,4}/g) ?? []
  const rows: string[] = []
  for (let start = 0; start < groups.length; start += 8) rows.push(groups.slice(start, start + 8).join(' '))
  return `sha256  ${rows.join('\n        ')}`
}
