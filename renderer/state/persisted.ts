import type { z } from 'zod'
import { showNotice } from './window-notices.ts'
import { stateText } from './text.ts'

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
  readonly storage?: PersistedStorage
  /** The target of `pagehide` events; the window unless given. */
  readonly page?: Pick<EventTarget, 'addEventListener'>
}

export type PersistedStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * A value that stays with this window when its page is loaded again. It never throws: a stored value that cannot be
 * read is discarded with a notice.
 */
export class Persisted<Value> {
  readonly #options: Options<Value>
  #timer: ReturnType<typeof setTimeout> | undefined
  #current: (() => Value | undefined) | undefined
  #isWatching = false

  constructor(options: Options<Value>) {
    this.#options = options
  }

  /** The value that an earlier load of the page stored; undefined if it is missing or damaged. */
  load(): Value | undefined {
    const { key, name, schema, parse = JSON.parse } = this.#options
    try {
      const text = this.#storage.getItem(key)
      return text === null ? undefined : schema.parse(parse(text))
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
      this.#attempt(() => this.#storage.removeItem(key))
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
    const { key, maxLength, stringify = JSON.stringify } = this.#options
    const text = value === undefined ? undefined : stringify(value)
    if (text !== undefined && text.length <= maxLength) this.#storage.setItem(key, text)
  }

  /** Where the browser has no room left, or gives none, the page works on without. */
  #attempt(write: () => void): void {
    try {
      write()
    } catch (error) {
      console.warn(`Could not store ${this.#options.key}`, error)
    }
  }

  get #storage(): PersistedStorage {
    return this.#options.storage ?? globalThis.sessionStorage
  }
}
