/** Keeps tokens and other secrets. A key is our own text, never one that came from outside unescaped. */
export interface SecretStore {
  /** Where secrets are kept, in words for the user, honest about how safe that is. */
  readonly description: string
  /** Nobody but the system's key chain can read what is kept. */
  readonly encrypted: boolean
  get(key: string): Promise<string | undefined>
  set(key: string, value: string): Promise<void>
  delete(key: string): Promise<void>
}

/** Keeps secrets until the process ends. */
export class MemorySecretStore implements SecretStore {
  readonly description = 'in memory only: gone when Patchbay ends'
  readonly encrypted = false
  readonly #values = new Map<string, string>()

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#values.get(key))
  }

  set(key: string, value: string): Promise<void> {
    this.#values.set(key, value)
    return Promise.resolve()
  }

  delete(key: string): Promise<void> {
    this.#values.delete(key)
    return Promise.resolve()
  }
}
