import { chmod, mkdtemp, readdir, readFile, writeFile, cp, rename } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A copy of what version 0.1.0 wrote. */
export type OldFiles = {
  readonly root: string
  readonly profile: string
  readonly workspace: string
  readonly recording: string
}

const FIXTURE = path.join(import.meta.dirname, 'fixture-0.1.0')
/** The directory that the drafts of the fixture's workspace had: version 0.1.0 named it by a hash of the workspace. */
const DRAFTS = '89a3790ee19541dccceb9d5339a8e272'

/**
 * Copies the fixture to a temporary directory, with the paths and modes that version 0.1.0 would have written there.
 *
 * @returns the absolute paths of the copy
 */
export async function copyOldFiles(): Promise<OldFiles> {
  const root = await mkdtemp(path.join(tmpdir(), 'patchbay-compatibility-'))
  await cp(FIXTURE, root, { recursive: true })
  const profile = path.join(root, 'profile')
  const workspace = path.join(root, 'workspace')
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const place = path.join(entry.parentPath, entry.name)
    if (entry.isDirectory()) {
      if (place.startsWith(profile)) await chmod(place, 0o700)
      continue
    }
    const text = await readFile(place, 'utf8')
    if (text.includes('{{root}}')) await writeFile(place, text.replaceAll('{{root}}', root))
    if (place.startsWith(profile)) await chmod(place, 0o600)
  }
  const drafts = path.join(profile, 'drafts')
  const hash = createHash('sha256').update(workspace).digest('hex').slice(0, 32)
  await rename(path.join(drafts, DRAFTS), path.join(drafts, hash))
  return { root, profile, workspace, recording: path.join(root, 'recording.ndjson') }
}
