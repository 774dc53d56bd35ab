import { randomBytes } from 'node:crypto'
import type { ServerEntry, StoredPair } from '../workspace/server-entries.ts'
import type { Secrets } from './entry-draft.ts'

/** Which secret of an entry: `env/NAME`, `header/NAME`, `bearer`, `url`, and the version that the entry uses. */
export type SecretReference = { readonly name: string; readonly version: string | undefined }

/** The secrets that an entry uses. */
export function secretsUsed(entry: ServerEntry): SecretReference[] {
  if (entry.transport === 'stdio') return entry.env.flatMap((pair) => referenceOf('env', pair))
  return [
    ...entry.headers.flatMap((pair) => referenceOf('header', pair)),
    ...(entry.bearer === true ? [{ name: 'bearer', version: entry.bearerVersion }] : []),
    ...(entry.secretUrl === true ? [{ name: 'url', version: entry.secretUrlVersion }] : []),
  ]
}

/** The entry with a new version of each secret whose value is another than before. */
export function withVersions(
  entry: ServerEntry,
  secrets: Secrets,
  before: { readonly used: readonly SecretReference[]; readonly secrets: Secrets },
): ServerEntry {
  const versionOf = (name: string): { version?: string } => {
    const kept = before.used.find((each) => each.name === name)
    const isKept = kept !== undefined && before.secrets[name] === secrets[name]
    const version = isKept ? kept.version : randomBytes(6).toString('base64url')
    return version === undefined ? {} : { version }
  }
  const versioned = (kind: 'env' | 'header', pairs: readonly StoredPair[]): StoredPair[] =>
    pairs.map((pair) =>
      'secret' in pair ? { name: pair.name, secret: true, ...versionOf(`${kind}/${pair.name}`) } : pair,
    )
  if (entry.transport === 'stdio') return { ...entry, env: versioned('env', entry.env) }
  const headers = versioned('header', entry.headers)
  const bearerVersion = entry.bearer === true ? versionOf('bearer').version : undefined
  const secretUrlVersion = entry.secretUrl === true ? versionOf('url').version : undefined
  return {
    ...entry,
    headers,
    ...(bearerVersion !== undefined && { bearerVersion }),
    ...(secretUrlVersion !== undefined && { secretUrlVersion }),
  }
}

function referenceOf(kind: 'env' | 'header', pair: StoredPair): SecretReference[] {
  if (!('secret' in pair)) return []
  const { version } = pair
  return [{ name: `${kind}/${pair.name}`, version: typeof version === 'string' ? version : undefined }]
}
