import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { SerialQueue } from '../../protocol/serial-queue.ts'
import { replaceFile } from '../../workspace/atomic-file.ts'
import { StorageError, systemCode } from '../../workspace/storage-error.ts'
import type { FileText, Saved, TemplateName, WorkspaceFiles as Listed } from '../contract/editor.ts'
import { HostError } from '../host-error.ts'
import { listFiles } from './file-list.ts'
import { templateFile } from './file-templates.ts'
import { editedText, withLineEndsOf } from './line-ends.ts'
import { moveFile } from './move-file.ts'
import { RemovedFiles } from './removed-files.ts'
import { workspacePath, type WorkspacePath } from './workspace-path.ts'
import { messageOf } from '../../protocol/error-message.ts'

const NEW_FILE_MODE = 0o644
const PROTECTED = 'It is write-protected on the disk. Make it writable there, and open it again.'

type OnDisk = { readonly text: string; readonly version: string; readonly mode: number }

/** The files of one workspace folder, for a person who edits them. Nothing outside of the folder is read or written. */
export class WorkspaceFiles {
  readonly #folder: string
  readonly #removed: RemovedFiles
  /** One change at a time, so that each sees what the one before wrote. */
  readonly #changes = new SerialQueue()

  /** @param folder absolute path */
  constructor(folder: string) {
    this.#folder = folder
    this.#removed = new RemovedFiles(folder)
  }

  async list(): Promise<Listed> {
    const uri = pathToFileURL(this.#folder).href.replace(/\/$/, '')
    return { folder: this.#folder, uri, ...(await listFiles(this.#folder, DEFAULT_LIMITS.editorFiles)) }
  }

  /** @throws HostError if there is no such file, or if it is not text that can be edited */
  async read(file: string): Promise<FileText> {
    const place = await workspacePath(this.#folder, file)
    const onDisk = await readText(place)
    if (onDisk === undefined) throw missing(file)
    const { text, version, mode } = onDisk
    const readOnly = place.readOnly ?? (isProtected(mode) ? PROTECTED : undefined)
    return { text: editedText(text), version, ...(readOnly !== undefined && { readOnly }) }
  }

  /**
   * Writes a file that nobody changed since `version`; null means that there was none. Its mode and line ends stay.
   *
   * @throws HostError for a file that is only read; StorageError if it cannot be written, which leaves it as it was
   */
  async save(file: string, text: string, version: string | null): Promise<Saved> {
    const place = await this.#writable(file)
    return this.#changes.run(async () => {
      const onDisk = await readText(place)
      if (onDisk === undefined && version !== null) return { state: 'gone' }
      if (onDisk !== undefined && isProtected(onDisk.mode)) throw readOnlyFile(file, PROTECTED)
      const edited = editedText(text)
      if (onDisk !== undefined && onDisk.version !== version) {
        const found = editedText(onDisk.text)
        // Who wrote the same already agrees.
        if (found === edited) return { state: 'saved', version: onDisk.version }
        return { state: 'conflict', text: found, version: onDisk.version }
      }
      const written = onDisk === undefined ? edited : withLineEndsOf(onDisk.text, edited)
      const bytes = Buffer.byteLength(written)
      if (bytes > DEFAULT_LIMITS.editorFileBytes) throw tooLarge(file, bytes)
      await writeText(place, written, onDisk?.mode ?? NEW_FILE_MODE)
      return { state: 'saved', version: versionOf(Buffer.from(written)) }
    })
  }

  /** Makes a script from a template; returns its path. @throws HostError if there is a file of that name */
  async create(template: TemplateName, name: string): Promise<string> {
    const { file, text } = templateFile(template, name)
    const place = await this.#writable(file)
    await this.#changes.run(async () => {
      if ((await workspacePath(this.#folder, file)).exists) throw taken(file)
      await writeText(place, text, NEW_FILE_MODE)
    })
    return file
  }

  /** Renames a file, or moves it to another folder. @throws HostError if the name is taken */
  async rename(file: string, to: string): Promise<string> {
    const from = await this.#writable(file)
    if (!from.exists) throw missing(file)
    const target = await this.#writable(to)
    await this.#changes.run(async () => {
      if (!(await moveFile(from.entry, target.entry))) throw taken(to)
    })
    return to
  }

  /** Removes a file; `restore` takes the returned value and brings it back. */
  async remove(file: string): Promise<string> {
    const place = await this.#writable(file)
    if (!place.exists) throw missing(file)
    return this.#changes.run(() => this.#removed.keep(file, place.entry))
  }

  /** Brings a removed file back; returns its path. @throws HostError if another file has its place now */
  async restore(removal: string): Promise<string> {
    const file = await this.#removed.fileOf(removal)
    const place = await this.#writable(file)
    await this.#changes.run(async () => {
      if (!(await this.#removed.putBack(removal, file, place.entry))) throw taken(file)
    })
    return file
  }

  async #writable(file: string): Promise<WorkspacePath> {
    const place = await workspacePath(this.#folder, file)
    if (place.readOnly !== undefined) throw readOnlyFile(file, place.readOnly)
    return place
  }
}

/** What a file holds; undefined if it is not there. */
async function readText({ file, target }: WorkspacePath): Promise<OnDisk | undefined> {
  const handle = await open(target, 'r').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw unusable(file, 'read', error)
  })
  if (handle === undefined) return undefined
  try {
    const { size, mode } = await handle.stat()
    if (size > DEFAULT_LIMITS.editorFileBytes) throw tooLarge(file, size)
    const bytes = await handle.readFile()
    return { text: decoded(file, bytes), version: versionOf(bytes), mode: mode & 0o777 }
  } finally {
    await handle.close()
  }
}

async function writeText({ file, target }: WorkspacePath, text: string, mode: number): Promise<void> {
  try {
    await mkdir(path.dirname(target), { recursive: true })
    await replaceFile(target, text, mode)
  } catch (error) {
    throw unusable(file, 'written', error)
  }
}

function decoded(file: string, bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('utf8')
  if (!Buffer.from(text).equals(bytes) || text.includes('\0')) {
    throw new HostError('NOT_TEXT', `${file} is not text in UTF-8, so it cannot be edited here.`)
  }
  return text
}

function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Nobody may write it. Replacing the file by another one would get around that. */
function isProtected(mode: number): boolean {
  return (mode & 0o222) === 0
}

function readOnlyFile(file: string, reason: string): HostError {
  return new HostError('READ_ONLY', `${file} cannot be changed here. ${reason}`)
}

function missing(file: string): HostError {
  return new HostError('NOT_FOUND', `There is no file ${file} in the workspace. It may have been renamed.`)
}

function taken(file: string): HostError {
  return new HostError('ALREADY_EXISTS', `There is a file ${file} already. Choose another name.`)
}

function tooLarge(file: string, bytes: number): HostError {
  return new HostError(
    'TOO_LARGE',
    `${file} has ${bytes.toLocaleString('en')} bytes; at most ${DEFAULT_LIMITS.editorFileBytes.toLocaleString('en')} are edited here (limit editorFileBytes).`,
  )
}

function unusable(file: string, what: 'read' | 'written', error: unknown): StorageError {
  const reason = messageOf(error)
  return new StorageError('unavailable', `${file} could not be ${what}: ${reason}. It is as it was.`, {
    cause: error,
  })
}
