import type { ServerEntry } from '../workspace/server-entries.ts'

/** The longest name that the window lets be edited. */
const LONGEST_NAME = 120

/** The entry, its name with a number if another entry has it: a name is how the command line finds a server. */
export function uniquelyNamed(entry: ServerEntry, servers: readonly ServerEntry[]): ServerEntry {
  const taken = new Set(servers.filter(({ id }) => id !== entry.id).map(({ name }) => name))
  if (!taken.has(entry.name)) return entry
  for (let number = 2; ; number += 1) {
    const ending = ` ${number}`
    const name = entry.name.slice(0, LONGEST_NAME - ending.length) + ending
    if (!taken.has(name)) return { ...entry, name }
  }
}
