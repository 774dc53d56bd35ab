import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isJsonObject } from '../protocol/json.ts'
import { isDefinitions } from '../registry/port/messages.ts'
import type { ScriptContent } from './channel.ts'

/** Days after which what nobody used is removed. */
const KEPT_DAYS = 7

/** Keeps bundles, and what they are known to serve, in a folder: what did not change is not run to be listed. */
export class ContentCache {
  readonly #folder: string
  readonly #stamp: string
  #count = 0

  /** `stamp` is another one whenever the same script may be read differently. */
  constructor(folder: string, stamp: string) {
    this.#folder = folder
    this.#stamp = stamp
  }

  get folder(): string {
    return this.#folder
  }

  /** Puts a bundle there, if it is not there yet; gives its absolute path. */
  async keepBundle(hash: string, code: string): Promise<string> {
    const file = path.join(this.#folder, `${hash}.mjs`)
    if (!(await touched(file))) await this.#write(file, code)
    return file
  }

  /** What a bundle serves, as far as that is known. */
  async content(hash: string): Promise<ScriptContent | undefined> {
    const file = this.#contentFile(hash)
    let text: string
    try {
      text = await readFile(file, 'utf8')
    } catch {
      return undefined
    }
    const known = parsed(text)
    if (known === undefined) return undefined
    await touched(file)
    return known
  }

  async keepContent(hash: string, content: ScriptContent): Promise<void> {
    await this.#write(this.#contentFile(hash), JSON.stringify(content))
  }

  /** Removes what was not used for a week. Never rejects: a cache that cannot be cleaned still works. */
  async prune(now = Date.now()): Promise<void> {
    try {
      for (const name of await readdir(this.#folder)) {
        const file = path.join(this.#folder, name)
        const { mtimeMs } = await stat(file)
        if (now - mtimeMs > KEPT_DAYS * 86_400_000) await rm(file, { force: true })
      }
    } catch {
      // There is none yet, or another process cleans it at the same time.
    }
  }

  #contentFile(hash: string): string {
    const key = createHash('sha256').update(`${this.#stamp}\n${hash}`).digest('hex').slice(0, 32)
    return path.join(this.#folder, `${key}.json`)
  }

  async #write(file: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    this.#count += 1
    const unfinished = `${file}.${process.pid}.${this.#count}.tmp`
    await writeFile(unfinished, text)
    await rename(unfinished, file)
  }
}

function parsed(text: string): ScriptContent | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isContent = isJsonObject(value) && isDefinitions(value['definitions'])
    return isContent ? (value as ScriptContent) : undefined
  } catch {
    return undefined
  }
}

/** Whether a file is there; marks it as used. */
async function touched(file: string): Promise<boolean> {
  try {
    const now = new Date()
    await utimes(file, now, now)
    return true
  } catch {
    return false
  }
}
