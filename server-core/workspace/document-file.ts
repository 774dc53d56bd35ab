import { randomBytes } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { parseExact, stringifyExact } from '../protocol/exact-json.ts'
import { removeTemporaries, replaceFile, type FileSystem } from './atomic-file.ts'
import { withFileLock } from './file-lock.ts'
import { finalPlace } from './final-place.ts'
import { StorageError, systemCode } from './storage-error.ts'
import { messageOf } from '../protocol/error-message.ts'

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
  readonly onSetAside: OnSetAside
  /** An existing file keeps its mode: for files that people share. All others are the owner's alone. */
  readonly keepsMode?: boolean
  /** People write the file by hand too: one that names no version has this one, and is not a damaged file. */
  readonly byHand?: boolean
  /**
   * The copy beside the file (`.previous`) has the content of the last save, not of the one before: what is removed
   * from the file is in neither.
   */
  readonly holdsSecrets?: boolean
  readonly files?: FileSystem
}

/**
 * Learns of a file that was moved out of the way. `leave`: a file that cannot be used stays where it is and reading
 * it is an error, for commands that only look.
 */
export type OnSetAside = ((setAside: SetAside) => void) | 'leave'

const LARGEST_BYTES = 16 * 1024 * 1024
const ATTEMPTS = 20
/** Readable and writable for the owner alone. */
const PRIVATE = 0o600

const TOO_LARGE = Symbol('too large')
/** Undefined: there is no file. */
type Loaded = string | undefined | typeof TOO_LARGE

const envelopeSchema = z.looseObject({ version: z.number().int().min(1) })
const envelopeByHandSchema = z.looseObject({ version: z.undefined().optional() })

type Parsed<Content> =
  | { readonly state: 'good'; readonly content: Content }
  | { readonly state: 'missing' }
  | { readonly state: 'bad'; readonly reason: string }

/**
 * One JSON file that several processes and a person with an editor may change. Every save reads the file again
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

  /**
   * The present content.
   *
   * @throws StorageError if the file is there and cannot be read; `damaged` if it is to be left as it is and cannot
   *   be used
   */
  async read(): Promise<Content> {
    const parsed = this.#parse(await this.#load(this.#options.file))
    if (parsed.state === 'good') return parsed.content
    if (parsed.state === 'missing') return this.#options.empty()
    if (this.#options.onSetAside === 'leave') throw this.#damaged(parsed.reason)
    const place = await finalPlace(this.#options.file)
    return withFileLock(place, () => this.#usable(place))
  }

  /** Like `read`, and leaves everything on the disk as it is. @throws StorageError also if it cannot be used */
  async peek(): Promise<Content> {
    const parsed = this.#parse(await this.#load(this.#options.file))
    if (parsed.state === 'bad') throw this.#damaged(parsed.reason)
    return parsed.state === 'good' ? parsed.content : this.#options.empty()
  }

  /**
   * Saves `change` applied to the newest content and gives the result. `change` may be called more than once.
   *
   * @throws StorageError if it could not be saved; the file then has its old content
   */
  async update(change: (current: Content) => Content): Promise<Content> {
    const place = await finalPlace(this.#options.file)
    return withFileLock(place, async () => {
      await this.#tidy(place)
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const before = await this.#load(this.#options.file)
        const parsed = this.#parse(before)
        const next = change(parsed.state === 'good' ? parsed.content : await this.#usable(place))
        if (parsed.state === 'bad') {
          if (this.#options.holdsSecrets === true) await this.#keepPrevious(this.#textOf(next))
          await this.#save(place, next)
          return next
        }
        // A program that knows nothing of the lock may have written since.
        if ((await this.#load(this.#options.file)) !== before) continue
        // First the copy: if the file cannot be saved then, no content is lost, and the caller knows.
        if (this.#options.holdsSecrets === true) await this.#keepPrevious(this.#textOf(next))
        else if (typeof before === 'string') await this.#keepPrevious(before)
        await this.#save(place, next)
        return next
      }
      throw new StorageError(
        'contended',
        `${this.#options.file} is being changed by another program over and over. Close it and try again.`,
      )
    })
  }

  /**
   * Replaces a copy beside the file that has other content than the file: an older Patchbay kept removed secrets in it.
   *
   * @throws StorageError if it could not be saved
   */
  async renewCopy(): Promise<void> {
    const { file } = this.#options
    if ((await this.#load(previousOf(file))) === undefined) return
    const place = await finalPlace(file)
    await withFileLock(place, async () => {
      const text = await this.#load(file)
      // Without a usable file the copy is all there is.
      if (this.#parse(text).state !== 'good' || typeof text !== 'string') return
      if ((await this.#load(previousOf(file))) !== text) await this.#keepPrevious(text)
    })
  }

  /** The content to go on with; moves a bad file aside. The caller holds the lock of `place`. */
  async #usable(place: string): Promise<Content> {
    const { file, onSetAside, empty } = this.#options
    const parsed = this.#parse(await this.#load(file))
    if (parsed.state === 'good') return parsed.content
    if (parsed.state === 'missing') return empty()
    if (onSetAside === 'leave') throw this.#damaged(parsed.reason)
    const keptAs = `${place}.set-aside-${timestamp()}-${randomBytes(3).toString('hex')}`
    const previous = this.#parse(await this.#load(previousOf(file)))
    await this.#attempt('moved aside', () => fileSystem.rename(place, keptAs))
    const restored = previous.state === 'good'
    const content = restored ? previous.content : empty()
    if (restored) await this.#save(place, content)
    onSetAside({ file, keptAs, reason: parsed.reason, restored })
    return content
  }

  #parse(text: Loaded): Parsed<Content> {
    if (text === undefined) return { state: 'missing' }
    if (text === TOO_LARGE) return { state: 'bad', reason: `it is larger than ${LARGEST_BYTES} bytes` }
    if (text.trim() === '') return { state: 'bad', reason: 'it is empty' }
    const exact = this.#parseValue(text, parseExact)
    // A number that a double cannot hold is not a fault in a member that is ours; there its nearest double is taken.
    return exact.state === 'bad' ? this.#parseValue(text, JSON.parse) : exact
  }

  #parseValue(text: string, parse: (text: string) => unknown): Parsed<Content> {
    let value: unknown
    try {
      value = parse(text)
    } catch (error) {
      const detail = error instanceof Error ? error.message : 'unreadable'
      return { state: 'bad', reason: `it is not JSON (${detail})` }
    }
    const isByHand = this.#options.byHand === true && envelopeByHandSchema.safeParse(value).success
    const envelope = envelopeSchema.safeParse(value)
    if (!isByHand && !envelope.success) return { state: 'bad', reason: 'it has no format version' }
    const version = envelope.data?.version ?? this.#options.version
    if (version > this.#options.version) {
      const versions = `format ${version}, this is a Patchbay for format ${this.#options.version}`
      return { state: 'bad', reason: `it was written by a newer Patchbay (${versions})` }
    }
    const content = this.#options.schema.safeParse(value)
    if (!content.success)
      return { state: 'bad', reason: z.prettifyError(content.error).replaceAll('\n', ' ') }
    return { state: 'good', content: content.data }
  }

  #damaged(reason: string): StorageError {
    const message = `${this.#options.file} cannot be read: ${reason}. It was left unchanged. Fix it, or start Patchbay, which moves it aside and continues with the previous save.`
    return new StorageError('damaged', message)
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

  async #save(place: string, content: Content): Promise<void> {
    const { files, keepsMode = false } = this.#options
    const text = this.#textOf(content)
    await this.#attempt('saved', async () => {
      const mode = keepsMode ? await modeOf(place) : PRIVATE
      await replaceFile(place, text, mode, files)
    })
  }

  #textOf(content: Content): string {
    return `${stringifyExact({ ...content, version: this.#options.version }, 2)}\n`
  }

  async #keepPrevious(text: string): Promise<void> {
    const { file, files } = this.#options
    await this.#attempt('copied', () => replaceFile(previousOf(file), text, PRIVATE, files))
  }

  /** Removes what killed processes left half-written. The caller holds the lock, so nobody is writing now. */
  async #tidy(place: string): Promise<void> {
    if (this.#tidied) return
    this.#tidied = true
    await removeTemporaries(place)
    await removeTemporaries(previousOf(this.#options.file))
  }

  async #attempt<T>(done: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const detail = messageOf(error)
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

/** The permission bits of a file that is there; those of a private one if it is not. */
async function modeOf(file: string): Promise<number> {
  try {
    return (await fileSystem.stat(file)).mode & 0o777
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return PRIVATE
    throw error
  }
}
