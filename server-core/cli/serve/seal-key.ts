import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolderSync } from '../../workspace/make-folder.ts'
import { messageOf } from '../../protocol/error-message.ts'

const KEY_BYTES = 32

/**
 * The key that seals what clients carry between rounds, kept in a file that only the user can read: the same after a
 * restart, and for every server of this user. It is read, and the first time made, when it is asked for. Where it can be
 * neither read nor stored, the key is for this process alone, and `warn` gets the reason.
 */
export function sealKeyIn(folder: string, warn: (text: string) => void): Uint8Array {
  const file = path.join(folder, 'serve.key')
  const made = randomBytes(KEY_BYTES)
  try {
    return readKey(file) ?? keepKey(file, made)
  } catch (error) {
    const reason = messageOf(error)
    warn(
      `calls that wait for an answer cannot be taken up after a restart: the key cannot be kept (${reason})`,
    )
    return made
  }
}

/** Undefined if there is none. */
function readKey(file: string): Uint8Array | undefined {
  let key: Buffer
  try {
    key = Buffer.from(readFileSync(file, 'latin1'), 'base64')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  if (key.length === KEY_BYTES) return key
  throw new Error(`${file} holds no key of ${KEY_BYTES} bytes; remove it to have a new one made`)
}

/** Returns the key that is kept then: of two servers that start at once the first one's. */
function keepKey(file: string, made: Uint8Array): Uint8Array {
  makeFolderSync(path.dirname(file), 0o700)
  const own = `${file}.${process.pid}`
  try {
    writeFileSync(own, `${Buffer.from(made).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
    linkSync(own, file)
    return made
  } catch (error) {
    const kept =
      error instanceof Error && 'code' in error && error.code === 'EEXIST' ? readKey(file) : undefined
    if (kept === undefined) throw error
    return kept
  } finally {
    rmSync(own, { force: true })
  }
}
