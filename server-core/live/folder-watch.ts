import { existsSync } from 'node:fs'
import path from 'node:path'
import { CONFIG_FILES } from '../scripts/config-files.ts'
import type { LiveFault } from './live-state.ts'
import { relativePath, SCRIPT_FOLDERS } from './script-files.ts'
import { messageOf } from '../protocol/error-message.ts'

export type FolderWatchOptions = {
  /** Absolute. */
  readonly folder: string
  /** These paths, absolute, may have changed. */
  readonly onPaths: (paths: readonly string[]) => void
  /** How it watches changed; undefined: as it should. */
  readonly onFault: (fault: LiveFault | undefined) => void
}

/** Milliseconds between two looks where the system does not report changes. */
const POLL_MS = 500
/** Milliseconds between two looks for a missing folder. */
const RETURN_MS = 500
/** What editors write beside a file while they save it. */
const UNFINISHED = /(?:~|\.tmp|\.swp|\.swx|___jb_(?:tmp|old)___)$/
const WATCHED_FILES: readonly string[] = [...CONFIG_FILES, 'patchbay.json', 'package.json']

/**
 * Watches what may be part of a workspace: its scripts, its configuration, and folders that scripts import from. What
 * it reports is a hint: listeners look at the files. Where the system has no more watches it polls the files
 * itself, and says so; it waits for a missing folder.
 */
export class FolderWatch {
  readonly #options: FolderWatchOptions
  readonly #others = new Set<string>()
  /** Close all watchers that were opened, those too that are not ready yet. */
  readonly #closers = new Set<() => Promise<void>>()
  #hasStarted = false
  #polls = false
  #return: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: FolderWatchOptions) {
    this.#options = options
  }

  /** Begins to watch; changes after it resolved are reported. */
  async start(): Promise<void> {
    const { folder } = this.#options
    await this.#watch([folder], { ignored: (file) => !this.#isWanted(file) })
    this.#hasStarted = true
    if (this.#others.size > 0) await this.#watch([...this.#others], { depth: 0 })
  }

  /** Watches these folders too, each without those in it; of one that is not there the nearest that is. */
  async also(folders: Iterable<string>): Promise<void> {
    const there = new Set([...folders].map(nearestThere))
    const added = [...there].filter((folder) => !this.#others.has(folder) && !this.#isCovered(folder))
    if (added.length === 0) return
    for (const folder of added) this.#others.add(folder)
    if (!this.#hasStarted) return
    await this.#watch(added, { depth: 0 })
    // Changes before the watch were reported to nobody.
    this.#options.onPaths(added)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#return)
    await this.#stop()
  }

  async #watch(
    paths: readonly string[],
    more: { readonly ignored?: (file: string) => boolean; readonly depth?: number },
  ): Promise<void> {
    const { watch } = await import('chokidar')
    if (this.#closed) return
    const ready = Promise.withResolvers<undefined>()
    const watcher = watch([...paths], {
      ignoreInitial: true,
      // What a save does to a file is for its content to say.
      atomic: false,
      followSymlinks: false,
      ...(this.#polls && { backend: 'polling' as const, pollingInterval: POLL_MS }),
      ...more,
    })
    this.#closers.add(() => {
      ready.resolve(undefined)
      return watcher.close()
    })
    watcher.on('all', (event, file) => {
      this.#onEvent(event, path.resolve(file))
    })
    watcher.on('error', (error) => {
      this.#failed(error)
      ready.resolve(undefined)
    })
    watcher.once('ready', () => {
      ready.resolve(undefined)
    })
    await ready.promise
  }

  #onEvent(event: string, file: string): void {
    if (this.#closed) return
    if (event === 'unlinkDir') {
      this.#others.delete(file)
      if (file === this.#options.folder) this.#gone()
    }
    this.#options.onPaths([file])
  }

  #isWanted(file: string): boolean {
    const relative = relativePath(this.#options.folder, file)
    if (relative === '') return true
    const [first = '', ...rest] = relative.split('/')
    if (rest.length === 0 && WATCHED_FILES.includes(first)) return true
    if (!SCRIPT_FOLDERS.some((each) => each === first)) return false
    if (UNFINISHED.test(relative)) return false
    return !rest.some((name) => name.startsWith('.') || name === 'node_modules')
  }

  #isCovered(folder: string): boolean {
    const [first = ''] = relativePath(this.#options.folder, folder).split('/')
    return SCRIPT_FOLDERS.some((each) => each === first) && this.#isWanted(folder)
  }

  /** The system gives no more watches, or forbids them: looking is slower and always works. */
  #failed(error: unknown): void {
    if (this.#closed || this.#polls) return
    this.#polls = true
    const detail = messageOf(error)
    this.#options.onFault({
      code: 'polling',
      message: `The system does not report changes in ${this.#options.folder} (${detail}); it is polled every ${POLL_MS / 1000} s instead.`,
    })
    this.#again()
  }

  #gone(): void {
    const { folder, onFault } = this.#options
    if (this.#return !== undefined || existsSync(folder)) return
    onFault({
      code: 'folder-gone',
      message: `${folder} is not there any more. What was loaded answers on; put the folder back, or open another.`,
    })
    this.#return = setInterval(() => {
      if (!existsSync(folder)) return
      clearInterval(this.#return)
      this.#return = undefined
      onFault(undefined)
      this.#again()
    }, RETURN_MS)
    this.#return.unref()
  }

  #again(): void {
    const restart = async () => {
      await this.#stop()
      if (this.#closed) return
      await this.start()
      this.#options.onPaths([this.#options.folder])
    }
    restart().catch((error: unknown) => {
      const message = messageOf(error)
      this.#options.onFault({
        code: 'unwatched',
        message: `${this.#options.folder} is not watched: ${message}`,
      })
    })
  }

  async #stop(): Promise<void> {
    const closers = [...this.#closers]
    this.#closers.clear()
    this.#hasStarted = false
    await Promise.all(closers.map((close) => close()))
  }
}

function nearestThere(folder: string): string {
  let there = folder
  while (!existsSync(there) && path.dirname(there) !== there) there = path.dirname(there)
  return there
}
