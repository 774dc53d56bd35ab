import { compositionMembers } from '../sources/config-data.ts'
import type { ConfigData } from '../scripts/config-data.ts'

/**
 * What of another configuration clients come to see: `sources` are put together again, and what these have is listed;
 * of the `server` clients read what it says of itself when they connect.
 */
export type ConfigurationChange = 'sources' | 'server' | 'nothing'

const SOURCES = Object.keys(compositionMembers) as readonly (keyof typeof compositionMembers)[]
const SERVER = ['name', 'version', 'title', 'instructions'] as const

/** How two configurations differ for clients; undefined is one that is not there. */
export function configurationChange(
  before: ConfigData | undefined,
  after: ConfigData | undefined,
): ConfigurationChange {
  const isOther = (member: keyof ConfigData): boolean =>
    JSON.stringify(before?.[member]) !== JSON.stringify(after?.[member])
  if (SOURCES.some(isOther)) return 'sources'
  return SERVER.some(isOther) ? 'server' : 'nothing'
}
