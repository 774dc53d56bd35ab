import { appendFile, mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Redaction } from '../../capture/redaction.ts'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { SerialQueue } from '../../protocol/serial-queue.ts'
import { addImported } from '../../recordings/import/add-imported.ts'
import { IMPORT_MOST_BYTES } from '../contract/recordings.ts'
import { HostError } from '../host-error.ts'

const FOLDER = '.imports'
const OWNER_ONLY = 0o600
const OWNER_FOLDER = 0o700

type Part = { readonly upload: string; readonly offset: number; readonly base64: string }

/** Recordings that come from the window in parts. A file that cannot be read leaves nothing behind. */
export class RecordingImports {
  readonly #folder: string
  readonly #redaction: Redaction
  /** The file that is coming in; the beginning of another one discards it. */
  #current: string | undefined
  readonly #queue = new SerialQueue()

  /** @param folder that of all recordings */
  constructor(folder: string, redaction: Redaction) {
    this.#folder = folder
    this.#redaction = redaction
  }

  /** Adds bytes at the end of an upload; the part at 0 begins it. Returns its length so far. */
  add(part: Part): Promise<{ bytes: number }> {
    return this.#queue.run(() => this.#add(part))
  }

  /** Adds what was uploaded to the recordings, kept by the name of its file. */
  end(upload: { upload: string; fileName: string }): Promise<{ id: string; problems: string[] }> {
    return this.#queue.run(() => this.#end(upload))
  }

  async #add({ upload, offset, base64 }: Part): Promise<{ bytes: number }> {
    const bytes = Buffer.from(base64, 'base64')
    if (offset === 0) {
      await this.#discard()
      await mkdir(path.join(this.#folder, FOLDER), { recursive: true, mode: OWNER_FOLDER })
      this.#current = upload
    }
    const file = this.#fileOf(upload)
    const { size } = offset === 0 ? { size: 0 } : await stat(file)
    if (size !== offset)
      throw new HostError(
        'INVALID_PARAMS',
        `Expected the part of the file at ${size}, got that at ${offset}.`,
      )
    if (size + bytes.length > IMPORT_MOST_BYTES) {
      await this.#discard()
      throw new HostError(
        'TOO_LARGE',
        'The file is larger than 256 MiB, the most that is imported. Read it with patchbay recordings show FILE.',
      )
    }
    await appendFile(file, bytes, { mode: OWNER_ONLY })
    return { bytes: size + bytes.length }
  }

  async #end({ upload, fileName }: { upload: string; fileName: string }) {
    const source = this.#fileOf(upload)
    try {
      return await addImported({ source, fileName, folder: this.#folder, redaction: this.#redaction })
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error
      throw new HostError('INVALID_PARAMS', error.message, { cause: error })
    } finally {
      await this.#discard()
    }
  }

  #fileOf(upload: string): string {
    if (upload !== this.#current)
      throw new HostError('NOT_FOUND', 'The import was ended by another one. Import the file again.')
    return path.join(this.#folder, FOLDER, upload)
  }

  async #discard(): Promise<void> {
    this.#current = undefined
    await rm(path.join(this.#folder, FOLDER), { recursive: true, force: true })
  }
}
