import { ORPCError } from '@orpc/client'
import type { Transport } from '@codemirror/lsp-client'
import type { LanguageServerEvent } from '../../../server-core/host/contract/editor.ts'

/** What carrying messages needs of the host. */
export type LanguageHost = {
  attach(
    input: { restart?: boolean },
    options: { signal: AbortSignal },
  ): Promise<AsyncIterable<LanguageServerEvent>>
  send(input: { session: string; messages: string[] }): Promise<{ taken: boolean }>
}

/** How the language server of this page ended, or why there is none. */
export type Ending =
  | { readonly reason: 'idle' | 'crashed' | 'stopped'; readonly detail: string }
  /** The host will not start it. */
  | { readonly reason: 'refused'; readonly detail: string }
  /** There is no connection to the host, and with the next one it can begin again. */
  | { readonly reason: 'lost' }

/**
 * The way to one run of the language server. Messages go one batch after another, so that they arrive in their order;
 * what is sent before the server runs waits for it.
 */
export class HostTransport implements Transport {
  readonly #host: LanguageHost
  readonly #handlers = new Set<(value: string) => void>()
  readonly #stop = new AbortController()
  #session: string | undefined
  #waiting: string[] = []
  #isSending = false

  constructor(host: LanguageHost) {
    this.#host = host
  }

  /** Starts the server and passes on what it says. Resolves when it has ended or could not be started. */
  async run(restart: boolean): Promise<Ending> {
    try {
      const events = await this.#host.attach({ restart }, { signal: this.#stop.signal })
      for await (const event of events) {
        if (event.type === 'ended') return { reason: event.reason, detail: event.detail }
        if (event.type === 'started') {
          this.#session = event.session
          void this.#pump()
        } else for (const text of event.messages) for (const handle of [...this.#handlers]) handle(text)
      }
      return { reason: 'lost' }
    } catch (error) {
      return error instanceof ORPCError ? { reason: 'refused', detail: error.message } : { reason: 'lost' }
    } finally {
      this.#session = undefined
    }
  }

  /** Leaves the server, which ends it. */
  leave(): void {
    this.#stop.abort()
  }

  send(message: string): void {
    this.#waiting.push(message)
    void this.#pump()
  }

  subscribe(handler: (value: string) => void): void {
    this.#handlers.add(handler)
  }

  unsubscribe(handler: (value: string) => void): void {
    this.#handlers.delete(handler)
  }

  async #pump(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    try {
      while (this.#session !== undefined && this.#waiting.length > 0) {
        const messages = this.#waiting.splice(0, 500)
        await this.#host.send({ session: this.#session, messages })
      }
    } catch {
      // The stream ends with the connection and says so.
    } finally {
      this.#isSending = false
    }
  }
}
