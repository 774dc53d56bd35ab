import { isDeepStrictEqual } from 'node:util'
import type { ClientFile } from '../../install/client-file.ts'
import { InstallError } from '../../install/install-error.ts'
import { readEntries } from '../../install/installer.ts'
import { ourEntry } from '../../install/our-entry.ts'
import type { Importable } from '../contract/install.ts'
import type { ServerDraft } from '../contract/servers.ts'
import { readClientEntry } from '../paste/client-config.ts'
import type { StoredServer } from '../../profile/server-store.ts'

/** The servers of a client's file, without those that Patchbay wrote there itself. Starts and stores nothing. */
export async function readImportable(
  where: ClientFile,
  stored: readonly StoredServer[],
): Promise<Importable> {
  const { client, file } = where
  const servers: Importable['servers'] = []
  const problems: Importable['problems'] = []
  try {
    for (const [name, entry] of Object.entries(await readEntries(where))) {
      if (ourEntry(entry) !== undefined) continue
      const read = readClientEntry(name, entry)
      if (!read.ok) {
        problems.push({ name, reason: read.reason })
        continue
      }
      const draft = read.value
      servers.push({ name, draft, isThere: stored.some((stored) => isSame(draft, stored)) })
      const left = placeholderIn(draft)
      if (left !== undefined) {
        const reason = `${left} is filled in by ${client.title} alone; put its value in its place before you approve it.`
        problems.push({ name, reason })
      }
    }
  } catch (error) {
    if (!(error instanceof InstallError)) throw error
    problems.push({ name: client.title, reason: error.message })
  }
  return { id: client.id, title: client.title, file, servers, problems }
}

/** A placeholder that only the client knows a value for. */
function placeholderIn(draft: ServerDraft): string | undefined {
  return /\$\{[^}"]+\}/.exec(JSON.stringify(draft))?.[0]
}

/** Whether a stored server is reached in the same way; folders count from elsewhere and are left out. */
function isSame({ target }: ServerDraft, { target: other }: StoredServer): boolean {
  if (target.transport === 'stdio') {
    if (other.transport !== 'stdio') return false
    const mine = [target.command, target.args, sorted(target.env)]
    return isDeepStrictEqual(mine, [other.command, other.args, sorted(other.env)])
  }
  return other.transport !== 'stdio' && target.url === other.url
}

function sorted(pairs: readonly { readonly name: string; readonly value: string }[]): unknown {
  return pairs.map(({ name, value }) => `${name}=${value}`).sort()
}
