/** The keys that stand twice in an object member of a message; parsed values no longer show them. */
export function doubledKeys(bytes: Uint8Array, member: string): readonly string[] {
  const text = Buffer.from(bytes).toString()
  const start = text.indexOf(`"${member}"`)
  if (start === -1) return []
  const seen = new Set<string>()
  const doubled: string[] = []
  let depth = 0
  // Strings are read whole, so that braces inside them do not count.
  for (const [token] of text
    .slice(start + member.length + 2)
    .matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') {
      depth -= 1
      if (depth === 0) break
    } else if (depth === 1 && token.endsWith(':')) {
      const key = String(JSON.parse(token.replace(/\s*:$/, '')))
      if (seen.has(key)) doubled.push(key)
      seen.add(key)
    }
  }
  return doubled
}
