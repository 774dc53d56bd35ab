import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { FSWatcher } from 'chokidar'

/** Milliseconds in which changes are reported together. */
const TOGETHER_MS = 60
/** Changed files that are reported by name; of more, nobody needs the names. */
const MOST = 2_000
const TEMPORARY = /\.\d+-[0-9a-f]{12}\.tmp$/

export type FileChange = { readonly file: string; readonly type: 'made' | 'changed' | 'removed' }

/** Notifies listeners of changes in a folder. It watches only while there are listeners. */
export class FolderWatch {
  readonly #folder: string
  readonly #listeners = new Set<(changes: readonly FileChange[]) => void>()
  #watching: Promise<FSWatcher> | undefined
  #changes = new Map<string, FileChange['type']>()
  #timer: NodeJS.Timeout | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Resolves with what ends it once changes are seen. */
  async listen(listener: (changes: readonly FileChange[]) => void): Promise<() => void> {
    this.#listeners.add(listener)
    this.#watching ??= this.#watch()
    await this.#watching
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) void this.close()
    }
  }

  /** Ends all watching. A later `listen` begins again. */
  async close(): Promise<void> {
    const watching = this.#watching
    this.#watching = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#changes.clear()
    await (await watching)?.close()
  }

  async #watch(): Promise<FSWatcher> {
    const { watch } = await import('chokidar')
    const folder = await realpath(this.#folder).catch(() => this.#folder)
    const watcher = watch(folder, {
      ignoreInitial: true,
      ignored: (place) => isIgnored(path.relative(folder, place)),
      // A link may lead to the whole disk.
      followSymlinks: false,
    })
    const note =
      (type: FileChange['type']) =>
      (place: string): void =>
        this.#note(path.relative(folder, place).replaceAll(path.sep, '/'), type)
    watcher.on('add', note('made')).on('change', note('changed')).on('unlink', note('removed'))
    // A folder that cannot be watched is one whose changes are seen when files are read or saved.
    watcher.on('error', () => undefined)
    await new Promise<void>((resolve) => watcher.once('ready', resolve))
    return watcher
  }

  #note(file: string, type: FileChange['type']): void {
    this.#changes.set(file, type)
    this.#timer ??= setTimeout(() => this.#notify(), TOGETHER_MS)
  }

  #notify(): void {
    this.#timer = undefined
    const changes = Array.from(this.#changes, ([file, type]) => ({ file, type })).slice(0, MOST)
    this.#changes = new Map()
    for (const listener of [...this.#listeners]) listener(changes)
  }
}

function isIgnored(place: string): boolean {
  const names = place.split(path.sep)
  if (names.includes('node_modules') || names.includes('.git') || TEMPORARY.test(place)) return true
  // Of what Patchbay keeps there, scripts see the types.
  return names[0] === '.patchbay' && names.length > 1 && names[1] !== 'types'
}
