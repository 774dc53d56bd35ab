import type { Stats } from 'node:fs'
import type { FSWatcher } from 'chokidar'

/** Milliseconds between two looks where the system does not report changes. */
const POLL_MS = 1_000

export type PathWatchOptions = {
  readonly ignored?: (file: string, stats: Stats | undefined) => boolean
  /** Files that exist at the start are reported too. */
  readonly initial?: boolean
}

/**
 * Watches files and folders, those too that are not there yet, and tells the path of each that may have changed. Where
 * the system does not report changes it polls them.
 */
export class PathWatch {
  readonly #options: PathWatchOptions
  readonly #onPath: (path: string) => void
  readonly #paths = new Set<string>()
  #watcher: Promise<FSWatcher> | undefined
  #polls = false
  #closed = false

  constructor(onPath: (path: string) => void, options: PathWatchOptions = {}) {
    this.#onPath = onPath
    this.#options = options
  }

  /** Watches these paths too, absolute; changes after it resolved are reported. */
  async add(paths: readonly string[]): Promise<void> {
    const added = paths.filter((path) => !this.#paths.has(path))
    for (const path of added) this.#paths.add(path)
    if (this.#closed || added.length === 0) return
    if (this.#watcher === undefined) this.#watcher = this.#open()
    else (await this.#watcher).add(added)
    await this.#watcher
  }

  async remove(path: string): Promise<void> {
    if (!this.#paths.delete(path)) return
    const watcher = await this.#watcher
    watcher?.unwatch(path)
  }

  async close(): Promise<void> {
    this.#closed = true
    const watcher = await this.#watcher
    await watcher?.close()
  }

  async #open(): Promise<FSWatcher> {
    const { watch } = await import('chokidar')
    const ready = Promise.withResolvers<undefined>()
    const { initial = false, ...others } = this.#options
    const watcher = watch([...this.#paths], {
      ignoreInitial: !initial,
      atomic: false,
      followSymlinks: false,
      ...(this.#polls && { backend: 'polling' as const, pollingInterval: POLL_MS }),
      ...others,
    })
    watcher.on('all', (_event, path) => {
      if (!this.#closed) this.#onPath(path)
    })
    watcher.on('error', () => {
      ready.resolve(undefined)
      if (this.#polls || this.#closed) return
      this.#polls = true
      void watcher.close()
      this.#watcher = this.#open()
    })
    watcher.once('ready', () => ready.resolve(undefined))
    await ready.promise
    return watcher
  }
}
