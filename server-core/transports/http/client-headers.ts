/** Headers with their names in lower case, so that later ones replace earlier ones. */
export function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Headers (names in lower case) with some in place of others; null takes one away. */
export function replaced(
  headers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string | null>> = {},
): Record<string, string> {
  const all = new Map(Object.entries(headers))
  for (const [name, value] of Object.entries(others)) {
    if (value === null) all.delete(name.toLowerCase())
    else all.set(name.toLowerCase(), value)
  }
  return Object.fromEntries(all)
}
