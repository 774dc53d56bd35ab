import { constants, fsyncSync, mkdirSync, openSync, closeSync, writevSync } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { RecordingSink } from './batch-writer.ts'

const DIGITS = 6
const NEW_FILE = constants.O_CREAT | constants.O_WRONLY
const OWNER_ONLY = 0o600
const OWNER_FOLDER = 0o700

/** Names of segments. */
export const SEGMENT_FILE = /^\d{6,}\.ndjson$/

export function segmentFile(folder: string, number: number): string {
  return path.join(folder, `${String(number).padStart(DIGITS, '0')}.ndjson`)
}

/** Called when nothing more is written to a segment. */
export type OnSealed = (file: string) => void

/**
 * Writes one stream of bytes to files of a folder, each up to the position that `cut` gave. Folder and files are
 * made when there is something to write, so that a disk on which that fails is tried again.
 */
export class SegmentSink implements RecordingSink {
  readonly #folder: string
  readonly #onSealed: OnSealed
  /** Where each segment begins; the last has no end yet. */
  readonly #starts = [0]
  #handle: FileHandle | undefined
  /** The segment that is open. */
  #number = 0

  constructor(folder: string, onSealed: OnSealed = () => undefined) {
    this.#folder = folder
    this.#onSealed = onSealed
  }

  /** What is at that position and behind it goes to the next segment. */
  cut(position: number): void {
    this.#starts.push(position)
  }

  async write(pieces: readonly Uint8Array[], position: number): Promise<number> {
    const { number, start, end } = this.#segmentAt(position)
    const handle = await this.#open(number)
    const { bytesWritten } = await handle.writev(upTo(pieces, end - position), position - start)
    return bytesWritten
  }

  writeNow(pieces: readonly Uint8Array[], position: number): number {
    const { number, start, end } = this.#segmentAt(position)
    const part = upTo(pieces, end - position)
    if (this.#number === number && this.#handle !== undefined)
      return writevSync(this.#handle.fd, part, position - start)
    mkdirSync(this.#folder, { recursive: true, mode: OWNER_FOLDER })
    const descriptor = openSync(segmentFile(this.#folder, number), NEW_FILE, OWNER_ONLY)
    try {
      const written = writevSync(descriptor, part, position - start)
      fsyncSync(descriptor)
      return written
    } finally {
      closeSync(descriptor)
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle
    if (handle === undefined) return
    this.#handle = undefined
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    this.#onSealed(segmentFile(this.#folder, this.#number))
  }

  async #open(number: number): Promise<FileHandle> {
    if (this.#handle !== undefined && this.#number === number) return this.#handle
    await mkdir(this.#folder, { recursive: true, mode: OWNER_FOLDER })
    await this.close()
    this.#handle = await open(segmentFile(this.#folder, number), NEW_FILE, OWNER_ONLY)
    this.#number = number
    return this.#handle
  }

  #segmentAt(position: number): { readonly number: number; readonly start: number; readonly end: number } {
    const place = this.#starts.findLastIndex((start) => start <= position)
    const start = this.#starts[place] ?? 0
    return { number: place + 1, start, end: this.#starts[place + 1] ?? Infinity }
  }
}

/** The first so many bytes of pieces. */
function upTo(pieces: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  if (bytes === Infinity) return pieces
  const part: Uint8Array[] = []
  let left = bytes
  for (const piece of pieces) {
    if (left <= 0) break
    part.push(piece.byteLength <= left ? piece : piece.subarray(0, left))
    left -= piece.byteLength
  }
  return part
}
