import { randomBytes } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import path from 'node:path'

/** The calls that a save makes; a test puts in ones that fail. */
export type FileSystem = Pick<typeof fileSystem, 'open' | 'rename' | 'rm'>

/**
 * Replaces a file so that a reader, a crash or a full disk sees the whole old content or the whole new one:
 * the bytes go to a temporary file beside it, are flushed to the disk, and take the name in one step.
 *
 * @param mode permission bits of the new file
 * @throws the system's error; the old file is then untouched and the temporary one removed
 */
export async function replaceFile(
  file: string,
  content: string,
  mode: number,
  files: FileSystem = fileSystem,
): Promise<void> {
  const temporary = `${file}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`
  try {
    const handle = await files.open(temporary, 'wx', mode)
    try {
      // FileHandle.writeFile goes on after a short write; a single write() would cut the file on a full disk.
      await handle.writeFile(content)
      // The mask of the process may have taken bits away; none that it gave may stay.
      await handle.chmod(mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await files.rename(temporary, file)
  } catch (error) {
    await files.rm(temporary, { force: true })
    throw error
  }
  await flushFolder(path.dirname(file), files)
}

/** The file that a temporary file of `replaceFile` is for, and the process that made it; undefined for other names. */
export function temporaryOf(name: string): { readonly file: string; readonly pid: number } | undefined {
  const match = /^(.+)\.(\d+)-[0-9a-f]{12}\.tmp$/.exec(name)
  return match === null ? undefined : { file: match[1] ?? '', pid: Number(match[2]) }
}

/** Removes the temporary files that killed processes left beside a file. Nobody may be replacing it meanwhile. */
export async function removeTemporaries(file: string): Promise<void> {
  const folder = path.dirname(file)
  for (const name of await fileSystem.readdir(folder)) {
    if (temporaryOf(name)?.file !== path.basename(file)) continue
    await fileSystem.rm(path.join(folder, name), { force: true })
  }
}

/** Makes the new name itself durable. Some systems cannot open a folder; there the name is durable enough. */
async function flushFolder(folder: string, files: FileSystem): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await files.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
