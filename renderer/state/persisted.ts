import type { z } from 'zod'
import type { WindowPart } from '../../server-core/host/contract/window-state.ts'
import { showNotice } from './window-notices.ts'
import { stateText } from './text.ts'
import { workspaceParts, type WorkspaceParts } from './workspace-parts.ts'

/** Milliseconds after a change; a page that crashes loses no more than what changed in them. */
const SAVE_AFTER_MS = 1_000

type Options<Value> = {
  readonly key: string
  /** What it is, as the subject of a sentence: `Open tabs`. */
  readonly name: string
  /** What an earlier load of the page may have stored; all else is discarded. */
  readonly schema: z.ZodType<Value>
  /** Characters of the text; a longer one is not stored. A browser keeps about five million for a page. */
  readonly maxLength: number
  readonly parse?: (text: string) => unknown
  readonly stringify?: (value: Value) => string
  /** The host stores it too, so that it outlives the window. `stringify` returns the text that may be on the disk. */
  readonly part?: { readonly name: WindowPart; readonly stringify?: (value: Value) => string }
  readonly storage?: PersistedStorage
  readonly parts?: WorkspaceParts
  /** The target of `pagehide` events; the window unless given. */
  readonly page?: Pick<EventTarget, 'addEventListener'>
}

export type PersistedStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * A value that stays with this window when its page is loaded again, and with the workspace if the host stores it too.
 * It never throws: a stored value that cannot be read is discarded with a notice.
 */
export class Persisted<Value> {
  readonly #options: Options<Value>
  #timer: ReturnType<typeof setTimeout> | undefined
  #current: (() => Value | undefined) | undefined
  #isWatching = false

  constructor(options: Options<Value>) {
    this.#options = options
  }

  /** Whether an earlier load of the page stored a value, readable or not. */
  get hasOwn(): boolean {
    try {
      return this.#storage.getItem(this.#options.key) !== null
    } catch {
      // The browser gives no storage.
      return false
    }
  }

  /** The value that an earlier load of the page stored, else the one that the host stores; undefined if it is missing or damaged. */
  load(): Value | undefined {
    const { key, name, schema, parse = JSON.parse, part } = this.#options
    let isOwn = false
    try {
      const own = this.#storage.getItem(key)
      isOwn = own !== null
      const text = own ?? (part === undefined ? undefined : this.#parts.text(part.name))
      return text === undefined ? undefined : schema.parse(parse(text))
    } catch (error) {
      console.warn(`Could not read ${key}`, error)
      // A component may load while it renders, when no other component may be updated.
      queueMicrotask(() =>
        showNotice({
          id: key,
          title: stateText.persisted.couldNotRestore(name),
          detail: stateText.persisted.stateDiscarded,
        }),
      )
      if (isOwn) this.#attempt(() => this.#storage.removeItem(key))
      else if (part !== undefined) this.#parts.reportDamaged()
      return undefined
    }
  }

  /**
   * Stores the value a moment later, and at the latest when the page is closed.
   *
   * @param current returns the value at that time; undefined leaves the stored one
   */
  saveSoon(current: () => Value | undefined): void {
    if (!this.#isWatching) {
      const { page = globalThis } = this.#options
      page.addEventListener('pagehide', () => this.flush())
    }
    this.#isWatching = true
    this.#current = current
    this.#timer ??= setTimeout(() => this.flush(), SAVE_AFTER_MS)
  }

  /** Stores at once what `saveSoon` was called for. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const current = this.#current
    this.#current = undefined
    if (current !== undefined) this.#attempt(() => this.#write(current()))
  }

  /** Stores a value at once; undefined removes the stored one. */
  save(value: Value | undefined): void {
    this.#attempt(() =>
      value === undefined ? this.#storage.removeItem(this.#options.key) : this.#write(value),
    )
  }

  #write(value: Value | undefined): void {
    if (value === undefined) return
    const { key, maxLength, stringify = JSON.stringify, part } = this.#options
    const text = stringify(value)
    // The host has its own place, whatever the browser has room for.
    if (part !== undefined) this.#parts.put(part.name, part.stringify?.(value) ?? text)
    if (text.length <= maxLength) this.#storage.setItem(key, text)
  }

  /** Where the browser has no room left, or gives none, the page works on without. */
  #attempt(write: () => void): void {
    try {
      write()
    } catch (error) {
      console.warn(`Could not store ${this.#options.key}`, error)
    }
  }

  get #parts(): WorkspaceParts {
    return this.#options.parts ?? workspaceParts
  }

  get #storage(): PersistedStorage {
    return this.#options.storage ?? globalThis.sessionStorage
  }
}
