import { randomBytes } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { removeTemporaries, replaceFile, type FileSystem } from './atomic-file.ts'
import { withFileLock } from './file-lock.ts'
import { StorageError, systemCode } from './storage-error.ts'

/** A file that could not be used and was moved out of the way. */
export type SetAside = {
  readonly file: string
  /** Where it is now. */
  readonly keptAs: string
  /** Why it could not be used, as a clause ("it is empty"). */
  readonly reason: string
  /** The content of the save before took its place. */
  readonly restored: boolean
}

export type DocumentOptions<Content> = {
  readonly file: string
  /** Version of the format; a file with a greater one was written by a newer Patchbay. */
  readonly version: number
  readonly schema: z.ZodType<Content>
  /** What a missing file stands for. */
  readonly empty: () => Content
  readonly onSetAside: (setAside: SetAside) => void
  readonly files?: FileSystem
}

const LARGEST_BYTES = 16 * 1024 * 1024
const ATTEMPTS = 20

const TOO_LARGE = Symbol('too large')
/** Undefined: there is no file. */
type Loaded = string | undefined | typeof TOO_LARGE

const envelopeSchema = z.looseObject({ version: z.number().int().min(1) })

type Parsed<Content> =
  | { readonly state: 'good'; readonly content: Content }
  | { readonly state: 'missing' }
  | { readonly state: 'bad'; readonly reason: string }

/**
 * One JSON file that several processes and a person with an editor may change. Every save reads the file anew
 * under a lock, applies its change to what it finds and replaces the file in one step, so that no other save is
 * lost. A file that cannot be used is moved aside, never overwritten, and work goes on with the save before it
 * (kept as `.previous`) or from empty.
 */
export class DocumentFile<Content> {
  readonly #options: DocumentOptions<Content>
  #tidied = false

  constructor(options: DocumentOptions<Content>) {
    this.#options = options
  }

  /** The present content. @throws StorageError if the file is there and cannot be read. */
  async read(): Promise<Content> {
    const parsed = this.#parse(await this.#load(this.#options.file))
    if (parsed.state === 'good') return parsed.content
    if (parsed.state === 'missing') return this.#options.empty()
    return withFileLock(this.#options.file, () => this.#usable())
  }

  /** Like `read`, and leaves everything on the disk as it is: for commands that only look. */
  async peek(): Promise<Content> {
    const parsed = this.#parse(await this.#load(this.#options.file))
    return parsed.state === 'good' ? parsed.content : this.#options.empty()
  }

  /**
   * Saves `change` applied to the newest content and gives the result. `change` may be called more than once.
   *
   * @throws StorageError if it could not be saved; the file then has its old content
   */
  async update(change: (current: Content) => Content): Promise<Content> {
    return withFileLock(this.#options.file, async () => {
      await this.#tidy()
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const before = await this.#load(this.#options.file)
        const parsed = this.#parse(before)
        const next = change(parsed.state === 'good' ? parsed.content : await this.#usable())
        if (parsed.state === 'bad') {
          await this.#save(next)
          return next
        }
        // A program that knows nothing of the lock may have written since.
        if ((await this.#load(this.#options.file)) !== before) continue
        if (typeof before === 'string') await this.#keepPrevious(before)
        await this.#save(next)
        return next
      }
      throw new StorageError(
        'contended',
        `${this.#options.file} is being changed by another program over and over. Close it and try again.`,
      )
    })
  }

  /** The content to go on with; moves a bad file aside. The caller holds the lock. */
  async #usable(): Promise<Content> {
    const { file, onSetAside, empty } = this.#options
    const parsed = this.#parse(await this.#load(file))
    if (parsed.state === 'good') return parsed.content
    if (parsed.state === 'missing') return empty()
    const keptAs = `${file}.set-aside-${timestamp()}-${randomBytes(3).toString('hex')}`
    const previous = this.#parse(await this.#load(previousOf(file)))
    await this.#attempt('moved aside', () => fileSystem.rename(file, keptAs))
    const restored = previous.state === 'good'
    const content = restored ? previous.content : empty()
    if (restored) await this.#save(content)
    onSetAside({ file, keptAs, reason: parsed.reason, restored })
    return content
  }

  #parse(text: Loaded): Parsed<Content> {
    if (text === undefined) return { state: 'missing' }
    if (text === TOO_LARGE) return { state: 'bad', reason: `it is larger than ${LARGEST_BYTES} bytes` }
    if (text.trim() === '') return { state: 'bad', reason: 'it is empty' }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      return {
        state: 'bad',
        reason: `it is not JSON (${error instanceof Error ? error.message : 'unreadable'})`,
      }
    }
    const envelope = envelopeSchema.safeParse(value)
    if (!envelope.success) return { state: 'bad', reason: 'it has no format version' }
    if (envelope.data.version > this.#options.version) {
      const versions = `format ${envelope.data.version}, this is a Patchbay for format ${this.#options.version}`
      return { state: 'bad', reason: `it was written by a newer Patchbay (${versions})` }
    }
    const content = this.#options.schema.safeParse(value)
    if (!content.success)
      return { state: 'bad', reason: z.prettifyError(content.error).replaceAll('\n', ' ') }
    return { state: 'good', content: content.data }
  }

  async #load(file: string): Promise<Loaded> {
    return this.#attempt('read', async () => {
      try {
        const { size } = await fileSystem.stat(file)
        if (size > LARGEST_BYTES) return TOO_LARGE
        return await fileSystem.readFile(file, 'utf8')
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return undefined
        throw error
      }
    })
  }

  async #save(content: Content): Promise<void> {
    const { file, version, files } = this.#options
    const text = `${JSON.stringify({ ...content, version }, null, 2)}\n`
    await this.#attempt('saved', () => replaceFile(file, text, 0o600, files))
  }

  async #keepPrevious(text: string): Promise<void> {
    const { file, files } = this.#options
    await this.#attempt('copied', () => replaceFile(previousOf(file), text, 0o600, files))
  }

  /** Removes what killed processes left half-written. The caller holds the lock, so nobody is writing now. */
  async #tidy(): Promise<void> {
    if (this.#tidied) return
    this.#tidied = true
    await removeTemporaries(this.#options.file)
    await removeTemporaries(previousOf(this.#options.file))
  }

  async #attempt<T>(done: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      const message = `${this.#options.file} could not be ${done}: ${detail}. Its last saved content is kept.`
      throw new StorageError('unavailable', message, { cause: error })
    }
  }
}

function previousOf(file: string): string {
  return path.join(path.dirname(file), `${path.basename(file)}.previous`)
}

function timestamp(): string {
  return new Date().toISOString().replaceAll(/[:.]/g, '-')
}
