import { Emitter } from '../../protocol/emitter.ts'
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
  readonly #events = new Emitter<readonly FileChange[]>()
  #watching: Promise<FSWatcher> | undefined
  #changes = new Map<string, FileChange['type']>()
  #timer: NodeJS.Timeout | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Resolves with what ends it once changes are seen. */
  async listen(listener: (changes: readonly FileChange[]) => void): Promise<() => void> {
    const leave = this.#events.listen(listener)
    this.#watching ??= this.#watch()
    await this.#watching
    return () => {
      leave()
      if (this.#events.size === 0) void this.close()
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
    this.#events.emit(changes)
  }
}

function isIgnored(place: string): boolean {
  const names = place.split(path.sep)
  if (names.includes('node_modules') || names.includes('.git') || TEMPORARY.test(place)) return true
  // Of what Patchbay keeps there, scripts see the types.
  return names[0] === '.patchbay' && names.length > 1 && names[1] !== 'types'
}
