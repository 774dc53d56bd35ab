import { SerialQueue } from '../../protocol/serial-queue.ts'
import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from '../../workspace/atomic-file.ts'
import { StorageError, systemCode } from '../../workspace/storage-error.ts'
import { draftSchema, type Draft } from '../contract/editor.ts'
import { makeFolder } from '../../workspace/make-folder.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Drafts that are kept of one workspace; the oldest go. */
const KEPT = 100

/**
 * What was typed and is not saved, in files that only the user can read: one for each file of the workspace. They
 * survive the page, the window and a crash.
 */
export class DraftStore {
  readonly #folder: string
  readonly #writes = new SerialQueue()

  /**
   * @param folder of all drafts, in the profile
   * @param workspace absolute path of the folder whose files are edited
   */
  constructor(folder: string, workspace: string) {
    this.#folder = path.join(folder, nameOf(path.resolve(workspace)))
  }

  /** All drafts, the newest last. One that cannot be read any more is left out. */
  async list(): Promise<Draft[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return []
      throw error
    })
    const drafts = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => this.#read(name)),
    )
    return drafts.filter((draft) => draft !== undefined).toSorted((one, other) => one.at - other.at)
  }

  /**
   * Keeps a draft in the place of the one before.
   *
   * @throws StorageError if it cannot be written
   */
  keep(draft: Draft): Promise<void> {
    return this.#oneByOne(`What was typed in ${draft.file} could not be stored`, async () => {
      await makeFolder(this.#folder, 0o700)
      await replaceFile(this.#fileOf(draft.file), JSON.stringify(draft), 0o600)
      const drafts = await this.list()
      for (const { file } of drafts.slice(0, -KEPT)) await rm(this.#fileOf(file), { force: true })
    })
  }

  /** Forgets a draft: it was saved or given up. */
  drop(file: string): Promise<void> {
    return this.#oneByOne(`The stored draft of ${file} could not be removed`, () =>
      rm(this.#fileOf(file), { force: true }),
    )
  }

  #fileOf(file: string): string {
    return path.join(this.#folder, `${nameOf(file)}.json`)
  }

  async #read(name: string): Promise<Draft | undefined> {
    try {
      return draftSchema.parse(JSON.parse(await readFile(path.join(this.#folder, name), 'utf8')))
    } catch {
      return undefined
    }
  }

  #oneByOne(failure: string, write: () => Promise<void>): Promise<void> {
    return this.#writes.run(write).catch((cause: unknown) => {
      const reason = messageOf(cause)
      throw new StorageError('unavailable', `${failure} in ${this.#folder}: ${reason}`, { cause })
    })
  }
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
