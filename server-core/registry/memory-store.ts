import type { SharedStore } from './invocation.ts'

/**
 * A store in this process. Values are copied on the way in and out, so that what a handler changes in its hand
 * changes nothing here: the same as when the handler runs in another process.
 */
export class MemoryStore implements SharedStore {
  readonly #values = new Map<string, unknown>()

  get(key: string): Promise<unknown> {
    return Promise.resolve(structuredClone(this.#values.get(key)))
  }

  set(key: string, value: unknown): Promise<void> {
    try {
      this.#values.set(key, structuredClone(value))
    } catch (cause) {
      const what = `The store takes values that can be copied; the value for "${key}" cannot: ${String(cause)}`
      return Promise.reject(new TypeError(what, { cause }))
    }
    return Promise.resolve()
  }

  delete(key: string): Promise<void> {
    this.#values.delete(key)
    return Promise.resolve()
  }

  keys(): Promise<readonly string[]> {
    return Promise.resolve([...this.#values.keys()])
  }
}
