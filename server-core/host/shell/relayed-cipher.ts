import type { Cipher, Decrypted } from '../../profile/secret-files.ts'
import type { HostToShell, ShellToHost } from '../shell-messages.ts'

type Done = Extract<ShellToHost, { type: 'cipher-done' }>

/** Encrypts and decrypts through the shell's main process, which alone reaches the system's key chain. */
export class RelayedCipher implements Cipher {
  readonly #post: (message: HostToShell) => void
  readonly #waiting = new Map<number, PromiseWithResolvers<Done>>()
  #nextId = 1

  constructor(post: (message: HostToShell) => void) {
    this.#post = post
  }

  async encrypt(text: string): Promise<Uint8Array> {
    const { result } = await this.#ask((requestId) => ({ type: 'cipher-encrypt', requestId, text }))
    if (typeof result === 'string')
      throw new TypeError('the shell gave text where encrypted bytes were expected')
    return result
  }

  async decrypt(bytes: Uint8Array): Promise<Decrypted> {
    const answer = await this.#ask((requestId) => ({ type: 'cipher-decrypt', requestId, bytes }))
    const { result: text, shouldReEncrypt = false } = answer
    if (typeof text !== 'string')
      throw new TypeError('the shell gave bytes where decrypted text was expected')
    return { text, shouldReEncrypt }
  }

  /** Handles an answer of the shell. */
  receive(message: Extract<ShellToHost, { type: 'cipher-done' | 'cipher-failed' }>): void {
    const waiting = this.#waiting.get(message.requestId)
    this.#waiting.delete(message.requestId)
    if (message.type === 'cipher-done') waiting?.resolve(message)
    else waiting?.reject(new Error(message.message))
  }

  #ask(request: (requestId: number) => HostToShell): Promise<Done> {
    const requestId = this.#nextId++
    const waiting = Promise.withResolvers<Done>()
    this.#waiting.set(requestId, waiting)
    this.#post(request(requestId))
    return waiting.promise
  }
}
