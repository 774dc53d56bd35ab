import { z } from 'zod'
import { DocumentFile, type OnSetAside } from './document-file.ts'
import type { SecretStore } from './secret-store.ts'
import { StorageError } from './storage-error.ts'

const secretsSchema = z.looseObject({ secrets: z.record(z.string(), z.string()).default({}) })
type Secrets = z.infer<typeof secretsSchema>

function secretsDocument(file: string, onSetAside: OnSetAside): DocumentFile<Secrets> {
  return new DocumentFile({
    file,
    version: 1,
    schema: secretsSchema,
    empty: () => ({ secrets: {} }),
    onSetAside,
  })
}

/** Keeps secrets as readable text in a file with mode 0600: for systems where nothing better is at hand. */
export class PlainFileSecretStore implements SecretStore {
  readonly description: string
  readonly encrypted = false
  readonly #document: DocumentFile<Secrets>

  constructor(file: string, onSetAside: OnSetAside) {
    this.description = `in ${file}, a file that only you can read. It is not encrypted`
    this.#document = secretsDocument(file, onSetAside)
  }

  async get(key: string): Promise<string | undefined> {
    const { secrets } = await this.#document.read()
    return Object.hasOwn(secrets, key) ? secrets[key] : undefined
  }

  async set(key: string, value: string): Promise<void> {
    await this.#document.update((current) => withSecret(current, key, value))
  }

  async delete(key: string): Promise<void> {
    await this.#document.update((current) => withoutSecret(current, key))
  }
}

/** Turns text into bytes that only this user on this machine can turn back. */
export interface Cipher {
  encrypt(text: string): Promise<Uint8Array>
  decrypt(bytes: Uint8Array): Promise<string>
}

/** Keeps secrets encrypted by a cipher whose key is in the system's key chain. */
export class SealedFileSecretStore implements SecretStore {
  readonly description: string
  readonly encrypted = true
  readonly #document: DocumentFile<Secrets>
  readonly #cipher: Cipher

  constructor(file: string, cipher: Cipher, onSetAside: OnSetAside) {
    this.description = `in ${file}, encrypted with the key chain of this system`
    this.#document = secretsDocument(file, onSetAside)
    this.#cipher = cipher
  }

  async get(key: string): Promise<string | undefined> {
    const { secrets } = await this.#document.read()
    const sealed = Object.hasOwn(secrets, key) ? secrets[key] : undefined
    if (sealed === undefined) return undefined
    try {
      return await this.#cipher.decrypt(Buffer.from(sealed, 'base64'))
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      const message = `A stored secret could not be decrypted (${detail}). Enter it again, or unlock the key chain.`
      throw new StorageError('sealed', message, { cause: error })
    }
  }

  async set(key: string, value: string): Promise<void> {
    const sealed = Buffer.from(await this.#cipher.encrypt(value)).toString('base64')
    await this.#document.update((current) => withSecret(current, key, sealed))
  }

  async delete(key: string): Promise<void> {
    await this.#document.update((current) => withoutSecret(current, key))
  }
}

function withSecret(current: Secrets, key: string, value: string): Secrets {
  return { ...current, secrets: { ...current.secrets, [key]: value } }
}

function withoutSecret(current: Secrets, key: string): Secrets {
  const { [key]: _removed, ...rest } = current.secrets
  return { ...current, secrets: rest }
}
