import type { Revision } from '../protocol/revisions.ts'
import { TransportError } from '../ports/contract.ts'
import type { Answer, Channel } from './channel.ts'
import type { Declaration } from './declaration.ts'
import { PeerError, RequestFailedError } from './errors.ts'
import { initialize, type Agreement } from './handshake.ts'

/** What became of what a lost session held. */
export type SessionLoss = {
  /** Epoch milliseconds. */
  readonly at: number
  /** What was set up again in the new session, in words: subscriptions by URI, the log level. */
  readonly restored: readonly string[]
  /** What could not be, or may not be there any more: subscriptions, tasks, streams. */
  readonly lost: readonly string[]
}

/** Sets something up again in a new session, and says what it did and what is lost. */
export type Restore = () => Promise<Pick<SessionLoss, 'restored' | 'lost'>>

export type SessionOptions = {
  readonly channel: Channel
  readonly revision: Revision
  readonly declaration: Declaration
  readonly timeoutMs: number
  /** Told what the server says of itself in the new session. */
  readonly onBegun: (agreement: Agreement) => void
  /** Told once the new session is set up. */
  readonly onRenewed: (loss: SessionLoss) => void
}

/** Milliseconds before a session in which nothing was answered is begun again. */
const RENEWAL_PAUSE_MS = 5_000

/**
 * A legacy session over HTTP (Streamable HTTP: session management). One that the server has forgotten (404) is begun
 * again, once for all requests that find it lost, and they are sent again: the server has taken none of them.
 */
export class Session {
  readonly #options: SessionOptions
  readonly #restores = new Set<Restore>()
  #count = 0
  #renewal: Promise<void> | undefined
  /** The session was begun again, and nothing was answered in it. */
  #isUnproven = false
  #renewedAt = 0

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /** Runs whenever a new session has begun, in the order in which they were given. Returns an unsubscribe function. */
  onRenewal(restore: Restore): () => void {
    this.#restores.add(restore)
    return () => {
      this.#restores.delete(restore)
    }
  }

  /** Sends by `send`, which is called again if the session was lost. Throws as `send` does. */
  async send(send: () => Promise<Answer>): Promise<Answer> {
    const session = this.#count
    try {
      return await this.#proving(send)
    } catch (error) {
      if (!isSessionLost(error)) throw error
      if (session === this.#count) {
        // A server that knows none of the sessions it begins would have us begin them for ever.
        if (this.#isUnproven && performance.now() - this.#renewedAt < RENEWAL_PAUSE_MS) throw error
        this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined))
        await this.#renewal
      }
      return this.#proving(send)
    }
  }

  /** Any answer shows that the server knows the session. */
  async #proving(send: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await send()
      this.#isUnproven = false
      return answer
    } catch (error) {
      if (error instanceof PeerError) this.#isUnproven = false
      throw error
    }
  }

  async #renew(): Promise<void> {
    const { channel, revision, declaration, timeoutMs, onBegun, onRenewed } = this.#options
    const agreement = await initialize(channel, { revision, ...declaration, timeoutMs })
    if (agreement.revision !== revision) {
      const message = `the server lost the session and speaks ${agreement.revision} now, not ${revision}; connect again`
      throw new RequestFailedError('closed', message)
    }
    this.#count += 1
    this.#isUnproven = true
    this.#renewedAt = performance.now()
    onBegun(agreement)
    void this.#restore().then(onRenewed)
  }

  async #restore(): Promise<SessionLoss> {
    const restored: string[] = []
    const lost: string[] = []
    for (const restore of this.#restores) {
      const outcome = await restore()
      restored.push(...outcome.restored)
      lost.push(...outcome.lost)
    }
    return { at: Date.now(), restored, lost }
  }
}

/** How a loss is reported among the steps of a connection. */
export function lossText({ restored, lost }: SessionLoss): string {
  return [
    'the server had lost the session; a new one began',
    ...(restored.length === 0 ? [] : [`set up again: ${restored.join(', ')}`]),
    ...(lost.length === 0 ? [] : [`lost: ${lost.join(', ')}`]),
  ].join('; ')
}

/** Whether a server that was asked with a session id does not know it (any more). */
function isSessionLost(error: unknown): boolean {
  if (!(error instanceof RequestFailedError) || !(error.cause instanceof TransportError)) return false
  return error.cause.code === 'http-status' && error.cause.evidence.httpStatus === 404
}
