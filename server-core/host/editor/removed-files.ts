import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { OWN_FOLDER, ownFolder } from '../../workspace/own-folder.ts'
import { HostError } from '../host-error.ts'
import { moveFile } from './move-file.ts'

/** Removed files that can be brought back; the oldest go for good. */
const KEPT = 50
const FOLDER = 'removed'
const REMOVAL = /^[0-9a-z]+-[0-9a-f]+$/

/** Where the removed files of a workspace are until they are brought back: `.patchbay/removed`, which git ignores. */
export class RemovedFiles {
  readonly #workspace: string
  readonly #folder: string

  constructor(workspace: string) {
    this.#workspace = workspace
    this.#folder = path.join(workspace, OWN_FOLDER, FOLDER)
  }

  /**
   * Takes a file away in one step.
   *
   * @param file its path in the workspace
   * @param target where it is
   * @returns what names it for `fileOf` and `putBack`
   * @throws StorageError if the folder of removed files is a link; the file is then where it was
   */
  async keep(file: string, target: string): Promise<string> {
    const removal = `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`
    await ownFolder(this.#workspace, FOLDER)
    await moveFile(target, path.join(this.#folder, removal, encodeURIComponent(file)))
    await this.#forgetOldest()
    return removal
  }

  /** The path that a removed file had. @throws HostError if it is not kept any more */
  async fileOf(removal: string): Promise<string> {
    const names = REMOVAL.test(removal) ? await readdir(path.join(this.#folder, removal)).catch(() => []) : []
    const [name] = names
    if (name === undefined) {
      throw new HostError('NOT_FOUND', `The removed file is not kept any more; the last ${KEPT} are.`)
    }
    return decodeURIComponent(name)
  }

  /** Moves a removed file back; gives false if another one has its place. */
  async putBack(removal: string, file: string, target: string): Promise<boolean> {
    const folder = path.join(this.#folder, removal)
    const isBack = await moveFile(path.join(folder, encodeURIComponent(file)), target)
    if (isBack) await rm(folder, { recursive: true, force: true })
    return isBack
  }

  async #forgetOldest(): Promise<void> {
    const removals = (await readdir(this.#folder)).filter((name) => REMOVAL.test(name))
    for (const removal of removals.toSorted().slice(0, -KEPT)) {
      await rm(path.join(this.#folder, removal), { recursive: true, force: true })
    }
  }
}
