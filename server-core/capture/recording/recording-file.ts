import { constants, writeSync, writevSync } from 'node:fs'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { RecordingSink } from './batch-writer.ts'
import { RecordingError } from './recording-error.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Recordings of one name in a folder. */
const MOST_NUMBERS = 9_999
const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY
const OWNER_ONLY = 0o600

/** A new file, open for writing. */
export type CreatedFile = { readonly path: string; readonly sink: RecordingSink }

/**
 * Makes a new file that its owner alone can read, with a first line. Where one of the name is there already, it stays
 * and the new one gets a number: `calls.ndjson`, `calls-2.ndjson`. Throws a `RecordingError` ('unwritable').
 */
export async function createRecordingFile(file: string, firstLine: Uint8Array): Promise<CreatedFile> {
  const wanted = path.resolve(file)
  const { dir, name, ext } = path.parse(wanted)
  for (let number = 1; number <= MOST_NUMBERS; number += 1) {
    const place = number === 1 ? wanted : path.join(dir, `${name}-${number}${ext}`)
    try {
      return { path: place, sink: await begin(place, firstLine) }
    } catch (error) {
      if (isThereAlready(error)) continue
      const why = messageOf(error)
      throw new RecordingError(
        'unwritable',
        `cannot record to ${place}: ${why}. Name a file in a folder that is there and that you may write to.`,
        { cause: error },
      )
    }
  }
  throw new RecordingError(
    'unwritable',
    `cannot record to ${wanted}: there are ${MOST_NUMBERS} recordings of this name; name another file or move some away`,
  )
}

async function begin(place: string, firstLine: Uint8Array): Promise<RecordingSink> {
  const handle = await open(place, NEW_FILE, OWNER_ONLY)
  try {
    writeSync(handle.fd, firstLine)
  } catch (error) {
    await handle.close()
    await unlink(place)
    throw error
  }
  return new FileSink(handle)
}

function isThereAlready(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** An open file. */
class FileSink implements RecordingSink {
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write(pieces: readonly Uint8Array[], position: number): Promise<number> {
    const { bytesWritten } = await this.#handle.writev(pieces, position)
    return bytesWritten
  }

  writeNow(pieces: readonly Uint8Array[], position: number): number {
    return writevSync(this.#handle.fd, pieces, position)
  }

  async close(): Promise<void> {
    try {
      await this.#handle.sync()
    } finally {
      await this.#handle.close()
    }
  }
}
