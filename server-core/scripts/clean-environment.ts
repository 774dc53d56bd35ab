/** Where it is in the world, and where temporary files go. No PATH, no secrets. */
const INHERITED = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot']

/** The environment of a process that runs code of a user: a few variables of this one and nothing else. */
export function cleanEnvironment(): Record<string, string> {
  const entries = INHERITED.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}
