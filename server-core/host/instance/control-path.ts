import { createHash } from 'node:crypto'
import { lstat, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { HostError } from '../host-error.ts'
import { makeFolder } from '../../workspace/make-folder.ts'

/** Longer paths of Unix sockets are cut off by the system without a word. */
const LONGEST_PATH = 100

/**
 * Where the control socket of a profile is: in the profile, or, where that path is too long for a socket, in a
 * folder of this user's own among the temporary files. On Windows it is a named pipe.
 */
export async function controlPath(profile: string): Promise<string> {
  await makeFolder(profile, 0o700)
  const real = await realpath(profile)
  const name = createHash('sha256').update(real).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\patchbay-${name}`
  const inProfile = path.join(real, 'control.sock')
  if (Buffer.byteLength(inProfile) <= LONGEST_PATH) return inProfile
  return path.join(await privateFolder(), `${name}.sock`)
}

async function privateFolder(): Promise<string> {
  const user = process.getuid?.() ?? 0
  const folder = path.join(tmpdir(), `patchbay-${user}`)
  await makeFolder(folder, 0o700)
  const facts = await lstat(folder)
  if (!facts.isDirectory() || facts.uid !== user || (facts.mode & 0o077) !== 0) {
    throw new HostError(
      'INVALID_ENTRY',
      `${folder} must be a folder that belongs to you alone. Remove it or correct it.`,
    )
  }
  return folder
}
