import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ScriptContent } from './channel.ts'
import { parseContent } from './script-content.ts'

/** Days after which what nobody used is removed. */
const KEPT_DAYS = 7
/** What is written here; no other file is touched. */
const OURS = /^[0-9a-f]{32}\.(?:mjs|json)(?:\.\d+\.\d+\.tmp)?$/

/** Keeps bundles, and what they are known to serve, in a folder: what did not change is not run to be listed. */
export class ContentCache {
  readonly #folder: string
  readonly #stamp: string
  readonly #makeFolder: () => Promise<unknown>
  #made: Promise<unknown> | undefined
  #count = 0

  /** `stamp` is another one whenever the same script may be read differently. */
  constructor(
    folder: string,
    stamp: string,
    makeFolder: () => Promise<unknown> = () => mkdir(folder, { recursive: true }),
  ) {
    this.#folder = folder
    this.#stamp = stamp
    this.#makeFolder = makeFolder
  }

  get folder(): string {
    return this.#folder
  }

  /** Puts a bundle there, if it is not there yet; returns its absolute path. */
  async keepBundle(hash: string, code: string): Promise<string> {
    const file = path.join(this.#folder, `${hash}.mjs`)
    // A power cut may have left a part of it, and anybody may have put something there.
    if ((await textOf(file)) === code) await touch(file)
    else await this.#write(file, code)
    return file
  }

  /** What a bundle serves, as far as that is known. */
  async content(hash: string): Promise<ScriptContent | undefined> {
    const file = this.#contentFile(hash)
    const text = await textOf(file)
    const known = text === undefined ? undefined : parsed(text)
    if (known !== undefined) await touch(file)
    return known
  }

  async keepContent(hash: string, content: ScriptContent): Promise<void> {
    await this.#write(this.#contentFile(hash), JSON.stringify(content))
  }

  /** Removes files that were not used for a week. Never rejects: a cache that cannot be cleaned still works. */
  async prune(now = Date.now()): Promise<void> {
    try {
      for (const name of await readdir(this.#folder)) {
        if (!OURS.test(name)) continue
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
    try {
      await (this.#made ??= this.#makeFolder())
      await this.#writeWhole(file, text)
    } catch {
      // Anybody may remove the folder, at any time.
      this.#made = undefined
      await this.#makeFolder()
      await this.#writeWhole(file, text)
    }
  }

  async #writeWhole(file: string, text: string): Promise<void> {
    this.#count += 1
    const unfinished = `${file}.${process.pid}.${this.#count}.tmp`
    await writeFile(unfinished, text)
    await rename(unfinished, file)
  }
}

function parsed(text: string): ScriptContent | undefined {
  try {
    return parseContent(JSON.parse(text))
  } catch {
    return undefined
  }
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined)
}

/** Marks a file as used. That fails only if it was removed, or belongs to somebody else; then it is left. */
async function touch(file: string): Promise<void> {
  const now = new Date()
  await utimes(file, now, now).catch(() => undefined)
}
