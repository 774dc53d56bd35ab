import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../workspace/atomic-file.ts'
import { DocumentFile, type OnSetAside } from '../workspace/document-file.ts'
import type { SecretStore } from './secret-store.ts'
import { StorageError } from '../workspace/storage-error.ts'
import { messageOf } from '../protocol/error-message.ts'

const secretsSchema = z.looseObject({ secrets: z.record(z.string(), z.string()).default({}) })
type Secrets = z.infer<typeof secretsSchema>

function secretsDocument(file: string, onSetAside: OnSetAside): DocumentFile<Secrets> {
  return new DocumentFile({
    file,
    version: 1,
    schema: secretsSchema,
    empty: () => ({ secrets: {} }),
    onSetAside,
    holdsSecrets: true,
  })
}

/** Removes secrets that were removed from a file from the copy beside it, where an older Patchbay left them. */
export async function renewSecretCopies(files: readonly string[]): Promise<void> {
  for (const file of files) await secretsDocument(file, 'leave').renewCopy()
}

/** Removes a secret from a file if there is one, and from files that were set aside, which nobody can parse. */
async function removeSecret(file: string, document: DocumentFile<Secrets>, key: string): Promise<void> {
  let removed: string | undefined
  await document.update((current) => {
    removed = Object.hasOwn(current.secrets, key) ? current.secrets[key] : undefined
    return withoutSecret(current, key)
  })
  if (removed !== undefined) await eraseFromSetAside(file, removed)
}

/** Keeps secrets as readable text in a file with mode 0600: for systems where nothing better is at hand. */
export class PlainFileSecretStore implements SecretStore {
  readonly description: string
  readonly encrypted = false
  readonly #file: string
  readonly #document: DocumentFile<Secrets>

  constructor(file: string, onSetAside: OnSetAside) {
    this.#file = file
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
    await removeSecret(this.#file, this.#document, key)
  }
}

/** Turns text into bytes that only this user on this machine can turn back. */
export interface Cipher {
  encrypt(text: string): Promise<Uint8Array>
  decrypt(bytes: Uint8Array): Promise<Decrypted>
}

export type Decrypted = {
  readonly text: string
  /** The key changed: what was encrypted with the old one should be encrypted again while it can still be read. */
  readonly shouldReEncrypt: boolean
}

/** Keeps secrets encrypted by a cipher whose key is in the system's key chain. */
export class SealedFileSecretStore implements SecretStore {
  readonly description: string
  readonly encrypted = true
  readonly #file: string
  readonly #plainFile: string
  readonly #onSetAside: OnSetAside
  readonly #document: DocumentFile<Secrets>
  readonly #cipher: Cipher

  /** @param plainFile the readable file that the same profile used before it had a key chain */
  constructor(file: string, plainFile: string, cipher: Cipher, onSetAside: OnSetAside) {
    this.#file = file
    this.#plainFile = plainFile
    this.#onSetAside = onSetAside
    this.description = `in ${file}, encrypted with the key chain of this system`
    this.#document = secretsDocument(file, onSetAside)
    this.#cipher = cipher
  }

  async get(key: string): Promise<string | undefined> {
    const { secrets } = await this.#document.read()
    const sealed = Object.hasOwn(secrets, key) ? secrets[key] : undefined
    if (sealed === undefined) return undefined
    const { text, shouldReEncrypt } = await this.#decrypt(sealed)
    if (shouldReEncrypt) await this.#renew(key, sealed, text)
    return text
  }

  async set(key: string, value: string): Promise<void> {
    const sealed = await this.#encrypt(value)
    await this.#document.update((current) => withSecret(current, key, sealed))
  }

  async delete(key: string): Promise<void> {
    await removeSecret(this.#file, this.#document, key)
    if (await hasSecrets(this.#plainFile))
      await removeSecret(this.#plainFile, secretsDocument(this.#plainFile, this.#onSetAside), key)
  }

  /** Replaces what was encrypted with an old key, unless somebody stored another value since. */
  async #renew(key: string, before: string, text: string): Promise<void> {
    try {
      const sealed = await this.#encrypt(text)
      await this.#document.update((current) =>
        current.secrets[key] === before ? withSecret(current, key, sealed) : current,
      )
    } catch (error) {
      // The old one can be read still, and the next reading tries again.
      if (!(error instanceof StorageError)) throw error
    }
  }

  async #encrypt(text: string): Promise<string> {
    try {
      return Buffer.from(await this.#cipher.encrypt(text)).toString('base64')
    } catch (error) {
      const message = `A secret could not be encrypted (${wordsOf(error)}), so it was not stored. Unlock the key chain and try again.`
      throw new StorageError('sealed', message, { cause: error })
    }
  }

  async #decrypt(sealed: string): Promise<Decrypted> {
    try {
      return await this.#cipher.decrypt(Buffer.from(sealed, 'base64'))
    } catch (error) {
      const message = `A stored secret could not be decrypted (${wordsOf(error)}). Unlock the key chain, or enter it again.`
      throw new StorageError('sealed', message, { cause: error })
    }
  }
}

/**
 * Stands for encrypted secrets while the key chain cannot be used: they are neither read nor replaced, and nothing
 * new is stored in the clear beside them. What is in the plain file already can be read.
 */
export class LockedSecretStore implements SecretStore {
  readonly description: string
  readonly encrypted = true
  readonly #file: string
  readonly #document: DocumentFile<Secrets>
  readonly #plain: SecretStore

  constructor(file: string, plain: SecretStore) {
    this.description = `in ${file}, encrypted with the key chain of this system, which cannot be used now: secrets can be neither read nor stored until it is unlocked and Patchbay is started again`
    this.#file = file
    this.#document = secretsDocument(file, 'leave')
    this.#plain = plain
  }

  async get(key: string): Promise<string | undefined> {
    if (await this.#mayHold(key)) throw this.#locked('read')
    return this.#plain.get(key)
  }

  set(): Promise<void> {
    return Promise.reject(this.#locked('stored'))
  }

  /** Needs no key. */
  async delete(key: string): Promise<void> {
    await removeSecret(this.#file, this.#document, key)
    await this.#plain.delete(key)
  }

  async #mayHold(key: string): Promise<boolean> {
    try {
      return Object.hasOwn((await this.#document.read()).secrets, key)
    } catch (error) {
      if (error instanceof StorageError && error.code === 'damaged') return true
      throw error
    }
  }

  #locked(done: string): StorageError {
    const message = `The secret could not be ${done}: secrets are in ${this.#file}, encrypted with the key chain of this system, which cannot be used now. Unlock it and start Patchbay again.`
    return new StorageError('key-chain-locked', message)
  }
}

/** Returns whether encrypted secrets were ever stored in a file. One that cannot be used counts as such. */
export async function hasSecrets(file: string): Promise<boolean> {
  try {
    return Object.keys((await secretsDocument(file, 'leave').read()).secrets).length > 0
  } catch (error) {
    if (error instanceof StorageError && error.code === 'damaged') return true
    throw error
  }
}

function wordsOf(error: unknown): string {
  return messageOf(error)
}

function withSecret(current: Secrets, key: string, value: string): Secrets {
  return { ...current, secrets: { ...current.secrets, [key]: value } }
}

function withoutSecret(current: Secrets, key: string): Secrets {
  const { [key]: _removed, ...rest } = current.secrets
  return { ...current, secrets: rest }
}

/** Shorter values are in harmless text everywhere. */
const SHORTEST_SECRET = 4

async function eraseFromSetAside(file: string, secret: string): Promise<void> {
  if (secret.length < SHORTEST_SECRET) return
  const start = `${path.basename(file)}.set-aside-`
  const written = JSON.stringify(secret).slice(1, -1)
  for (const name of await readdir(path.dirname(file))) {
    if (!name.startsWith(start)) continue
    const place = path.join(path.dirname(file), name)
    const text = await readFile(place, 'utf8')
    if (text.includes(written)) await replaceFile(place, text.replaceAll(written, ''), 0o600)
  }
}
