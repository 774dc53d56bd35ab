import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { systemCode } from '../workspace/storage-error.ts'

/** A file as it was read. What is not there, or cannot be read, has no text. */
export type FileContent = { readonly hash: string; readonly text: string | undefined }

const MISSING: FileContent = { hash: 'missing', text: undefined }

/** Reads each file once, however many ask for it: for one look at the folder. */
export class FileContents {
  readonly #read = new Map<string, Promise<FileContent>>()

  /** Never rejects. */
  of(file: string): Promise<FileContent> {
    const known = this.#read.get(file)
    if (known !== undefined) return known
    const reading = contentOf(file)
    this.#read.set(file, reading)
    return reading
  }
}

async function contentOf(file: string): Promise<FileContent> {
  try {
    const text = await readFile(file, 'utf8')
    return { hash: createHash('sha1').update(text).digest('base64'), text }
  } catch (error) {
    const code = systemCode(error)
    return code === 'ENOENT' || code === undefined ? MISSING : { hash: `unreadable ${code}`, text: undefined }
  }
}
