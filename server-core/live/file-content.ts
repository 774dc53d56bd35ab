import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { systemCode } from '../workspace/storage-error.ts'

/** A file as it was read. A missing or unreadable file has no text. */
export type FileContent = {
  readonly hash: string
  readonly text: string | undefined
  /** As the file was before it was read: see `fileStamp`. */
  readonly stamp: string
}

const MISSING = 'missing'

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

/**
 * Another one after every save of the file, even of one that brings back what was there before; cheaper to have than the
 * content. Never rejects.
 */
export async function fileStamp(file: string): Promise<string> {
  try {
    const { ino, ctimeNs, size } = await stat(file, { bigint: true })
    return `${ino}:${ctimeNs}:${size}`
  } catch (error) {
    return troubleOf(error)
  }
}

async function contentOf(file: string): Promise<FileContent> {
  const stamp = await fileStamp(file)
  try {
    const text = await readFile(file, 'utf8')
    return { hash: createHash('sha1').update(text).digest('base64'), text, stamp }
  } catch (error) {
    return { hash: troubleOf(error), text: undefined, stamp }
  }
}

function troubleOf(error: unknown): string {
  const code = systemCode(error)
  return code === 'ENOENT' || code === undefined ? MISSING : `unreadable ${code}`
}
