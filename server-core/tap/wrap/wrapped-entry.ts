import type { ConfigEntry } from '../../install/formats/config-format.ts'
import type { Launcher } from '../../install/our-entry.ts'
import { isJsonObject } from '../../protocol/json.ts'

/** Names of both sides in lists, and the data folder if it is not the usual one. */
export type WrapNames = { readonly client: string; readonly server: string; readonly profile?: string }

/** An entry that starts a command over stdio. */
export type StdioEntry = ConfigEntry & { readonly command: string; readonly args?: readonly string[] }

/** Whether an entry starts a command; those that name an address do not. */
export function isStdioEntry(entry: unknown): entry is StdioEntry {
  if (!isJsonObject(entry)) return false
  const { command, args } = entry
  const isTexts =
    args === undefined || (Array.isArray(args) && args.every((each) => typeof each === 'string'))
  return typeof command === 'string' && command !== '' && isTexts
}

/** Whether an entry starts a tap of some Patchbay. */
export function startsTap(entry: unknown): boolean {
  if (!isStdioEntry(entry)) return false
  const args = entry.args ?? []
  const at = args.indexOf('tap')
  return at !== -1 && args.indexOf('--', at) !== -1 && [entry.command, ...args.slice(0, at)].some(isPatchbay)
}

/** The entry that starts a tap in front of the same command; every other member stays. */
export function wrappedEntry(entry: StdioEntry, launcher: Launcher, names: WrapNames): ConfigEntry {
  const { command, before = [], program, env } = launcher
  const present = isJsonObject(entry['env']) ? entry['env'] : {}
  // A variable that only our own start needs is not the server's.
  const own = Object.keys(env).filter((name) => present[name] === undefined)
  const flags = [
    '--client',
    names.client,
    '--name',
    names.server,
    ...(names.profile === undefined ? [] : ['--profile', names.profile]),
    ...own.flatMap((name) => ['--without', name]),
  ]
  return {
    ...entry,
    command,
    args: [...before, program, 'tap', ...flags, '--', entry.command, ...(entry.args ?? [])],
    ...(own.length > 0 && { env: { ...present, ...env } }),
  }
}

function isPatchbay(word: string): boolean {
  return /patchbay/i.test(word)
}
