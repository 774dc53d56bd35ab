import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { ignoreOwnFolder, OWN_FOLDER } from '../../workspace/workspace-types.ts'
import { HostError } from '../host-error.ts'
import { moveFile } from './move-file.ts'

/** Removed files that can be brought back; the oldest go for good. */
const KEPT = 50

/** Where the removed files of a workspace are until they are brought back: `.patchbay/removed`, which git ignores. */
export class RemovedFiles {
  readonly #own: string
  readonly #folder: string

  constructor(workspace: string) {
    this.#own = path.join(workspace, OWN_FOLDER)
    this.#folder = path.join(this.#own, 'removed')
  }

  /**
   * Takes a file away in one step.
   *
   * @param file its path in the workspace
   * @param target where it is
   * @returns what names it for `fileOf` and `putBack`
   */
  async keep(file: string, target: string): Promise<string> {
    const removal = `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`
    await ignoreOwnFolder(this.#own)
    await moveFile(target, path.join(this.#folder, removal, encodeURIComponent(file)))
    await this.#forgetOldest()
    return removal
  }

  /** The path that a removed file had. @throws HostError if it is not kept any more */
  async fileOf(removal: string): Promise<string> {
    const names = /^[0-9a-z]+-[0-9a-f]+$/.test(removal)
      ? await readdir(path.join(this.#folder, removal)).catch(() => [])
      : []
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
    const removals = await readdir(this.#folder)
    for (const removal of removals.toSorted().slice(0, -KEPT)) {
      await rm(path.join(this.#folder, removal), { recursive: true, force: true })
    }
  }
}
