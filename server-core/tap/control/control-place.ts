import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Characters of the longest path of a Unix domain socket that every system takes. */
const LONGEST_PATH = 100

/** Where the app listens for the taps of a profile. */
export type ControlPlace = {
  /** A Unix domain socket, or a named pipe on Windows. */
  readonly socket: string
  /** The file with the token that a tap has to know, readable by its owner alone. */
  readonly token: string
}

/** Finds the place of a profile's control channel. */
export function controlPlace(profile: string, platform: NodeJS.Platform = process.platform): ControlPlace {
  const folder = path.resolve(profile)
  const token = path.join(folder, 'tap-token')
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 24)
  if (platform === 'win32') return { socket: `\\\\.\\pipe\\patchbay-tap-${hash}`, token }
  const socket = path.join(folder, 'tap.sock')
  if (socket.length <= LONGEST_PATH) return { socket, token }
  return { socket: path.join(tmpdir(), `patchbay-${hash}.sock`), token }
}
