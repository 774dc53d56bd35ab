import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile, removeTemporaries } from '../workspace/atomic-file.ts'
import { withFileLock } from '../workspace/file-lock.ts'
import { isInside, realPlace } from '../workspace/real-place.ts'
import { systemCode } from '../workspace/storage-error.ts'
import { InstallError } from './install-error.ts'

const LARGEST_BYTES = 16 * 1024 * 1024
const ATTEMPTS = 20
/** Readable and writable for the owner alone: these files often hold tokens. */
const PRIVATE = 0o600
/** How many states before changes are kept. */
const KEPT = 5

/** The result of a change. */
export type TextChange = {
  readonly change: 'added' | 'changed' | 'none'
  /** The file that was written. */
  readonly place: string
  /** What the file was before; missing if there was none, or nothing changed. */
  readonly backup?: string
}

/** The text of a configuration file; undefined if there is none. Throws an `InstallError` if it is not text. */
export async function readConfigText(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file)
    if (size > LARGEST_BYTES)
      throw new InstallError('broken', `${file} is larger than ${LARGEST_BYTES} bytes; it was left as it is`)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    if (!(error instanceof TypeError)) throw error
    throw new InstallError('broken', `${file} is not written in UTF-8; it was left as it is`, {
      cause: error,
    })
  }
}

/** A configuration file, and the folder that a symbolic link must not lead out of. */
export type ConfigPlace = { readonly file: string; readonly project?: string }

/**
 * Finds where a configuration file really is: symbolic links are followed, so that saving keeps them.
 *
 * @throws InstallError `outside` if that is not in its project
 */
export async function writablePlace({ file, project }: ConfigPlace): Promise<string> {
  const place = await realPlace(file)
  if (project === undefined || isInside(await realPlace(project), place)) return place
  throw new InstallError(
    'outside',
    `${file} leads to ${place} by a symbolic link, which is outside the project ${project}. Nothing was written. Remove the link, or name that file with --file.`,
  )
}

/**
 * Changes a configuration file in one step, under its lock, on top of the newest text on the disk. A symbolic link stays
 * one, the mode stays, and the text before the change is kept beside it, for its owner alone.
 *
 * @param change returns the new text, or the same one; it may be called more than once, and what it throws is thrown
 * @throws InstallError `contended` if another program changes it over and over, `outside`; StorageError; the system's error
 */
export async function changeConfigText(
  config: ConfigPlace,
  change: (text: string | undefined) => string,
): Promise<TextChange> {
  const { file } = config
  const place = await writablePlace(config)
  return withFileLock(place, async () => {
    await removeTemporaries(place)
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const before = await readConfigText(place)
      const after = change(before)
      if (after === before) return { change: 'none', place }
      const mode = before === undefined ? PRIVATE : (await stat(place)).mode & 0o777
      const backup = backupName(place, after, before === undefined)
      await replaceFile(backup, before ?? '', PRIVATE)
      // A program that knows nothing of the lock may have written since.
      if ((await readConfigText(place)) !== before) {
        await rm(backup, { force: true })
        continue
      }
      await replaceFile(place, after, mode)
      await forgetOldest(place)
      return before === undefined ? { change: 'added', place } : { change: 'changed', place, backup }
    }
    throw new InstallError(
      'contended',
      `${file} is being changed by another program. Close it and try again.`,
    )
  })
}

/**
 * Takes back the last change, if the file is still as that change left it.
 *
 * @returns the file that was written
 * @throws InstallError `no-undo` if no entry of Patchbay was changed, or somebody changed the file since; `outside`
 */
export async function undoConfigText(config: ConfigPlace): Promise<string> {
  const { file } = config
  const place = await writablePlace(config)
  await withFileLock(place, async () => {
    const present = await readConfigText(place)
    const backups = await backupsOf(place)
    if (present === undefined || backups.length === 0)
      throw new InstallError('no-undo', `Patchbay changed nothing in ${file} that could be taken back`)
    const backup = backups.find(({ hash }) => hash === hashOf(present))
    if (backup === undefined) {
      const newest = backups.at(-1)?.file ?? ''
      const message = `${file} was changed after Patchbay did, so it is left as it is. What it was before is in ${newest}.`
      throw new InstallError('no-undo', message)
    }
    if (backup.wasMissing) await rm(place)
    else await replaceFile(place, await readFile(backup.file, 'utf8'), (await stat(place)).mode & 0o777)
    await rm(backup.file, { force: true })
  })
  return place
}

type Backup = {
  readonly file: string
  readonly hash: string
  readonly wasMissing: boolean
  readonly at: number
}

/** The name says after which change it helps; `new` stands for a file that was not there. */
function backupName(place: string, after: string, wasMissing: boolean): string {
  return `${place}.${hashOf(after)}${wasMissing ? '.new' : ''}.patchbay-backup`
}

/** The oldest first. */
async function backupsOf(place: string): Promise<readonly Backup[]> {
  const start = `${path.basename(place)}.`
  const backups: Backup[] = []
  for (const name of await readdir(path.dirname(place))) {
    const match =
      name.startsWith(start) && /^([0-9a-f]{12})(\.new)?\.patchbay-backup$/.exec(name.slice(start.length))
    if (match === false || match === null) continue
    const file = path.join(path.dirname(place), name)
    const found = await lstat(file)
    // We never make a link: restoring one would copy a file from elsewhere into the project.
    if (!found.isFile()) continue
    backups.push({ file, hash: match[1] ?? '', wasMissing: match[2] !== undefined, at: found.mtimeMs })
  }
  return backups.sort((one, other) => one.at - other.at)
}

async function forgetOldest(place: string): Promise<void> {
  const backups = await backupsOf(place)
  for (const { file } of backups.slice(0, Math.max(0, backups.length - KEPT))) await rm(file, { force: true })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
