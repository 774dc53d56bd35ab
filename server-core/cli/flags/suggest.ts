/** At most three names that somebody who typed this may have meant, the most likely first. */
export function suggest(typed: string, names: readonly string[]): readonly string[] {
  const wanted = plain(typed)
  const most = Math.max(1, Math.ceil(wanted.length / 3))
  const candidates = names.map((name) => ({ name, away: editDistance(wanted, plain(name)) }))
  // Where one slip explains what was typed, a name that needs two was not meant.
  const nearest = Math.min(most, ...candidates.map(({ away }) => Math.max(1, away)))
  return candidates
    .filter(({ name, away }) => away <= nearest || (wanted.length > 2 && plain(name).includes(wanted)))
    .sort((a, b) => a.away - b.away)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Case and the marks between words are what is confused most. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_./-]+/g, '')
}

/** How many characters have to be inserted, removed or changed (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [row, letter] of Array.from(a).entries()) {
    const line = [row + 1]
    for (let at = 1; at <= b.length; at += 1) {
      const changed = (above[at - 1] ?? 0) + (letter === b[at - 1] ? 0 : 1)
      line.push(Math.min(changed, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1))
    }
    above = line
  }
  return above[b.length] ?? 0
}
