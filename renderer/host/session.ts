import type { ClientContext } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import { Observable } from '../state/observable.ts'
import { HostUnreachableError, type HostCarrier, type HostPort } from './port.ts'
import { hostText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

export type HostState =
  | { readonly status: 'connecting' }
  | { readonly status: 'open' }
  /** It was open and is tried again. */
  | { readonly status: 'lost'; readonly attempt: number; readonly reason: string }
  /** It never opened; it is tried again unless the reason is that there is no token. */
  | { readonly status: 'unreachable'; readonly code: HostUnreachableError['code']; readonly reason: string }

type Link = Pick<RPCLink<ClientContext>, 'call'>

const firstDelayMs = 250
const longestDelayMs = 5_000

/** Milliseconds to wait before the attempt, counted from 1. */
export function retryDelay(attempt: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1))
}

/**
 * Keeps one open port to the host: opens it again when it closes, and says how it stands. Calls made before the
 * first opening wait for it; calls made while the connection is lost fail immediately, because an action minutes
 * after its press surprises.
 */
export class HostSession {
  readonly state = new Observable<HostState>({ status: 'connecting' })
  /** How often a port was opened: whoever watches a stream begins again when it grows. */
  readonly opened = new Observable(0)
  readonly #carrier: HostCarrier
  readonly #wait: (ms: number) => Promise<void>
  #link: Link | undefined
  #first: PromiseWithResolvers<void> = Promise.withResolvers()
  #started = false

  constructor(carrier: HostCarrier, wait: (ms: number) => Promise<void> = pause) {
    this.#carrier = carrier
    this.#wait = wait
  }

  /** Opens the port and keeps it open. To be called once. */
  start(): void {
    if (this.#started) return
    this.#started = true
    void this.#keepOpen()
  }

  readonly link: Link = {
    call: async (path, input, options) => {
      if (this.opened.get() === 0) await this.#first.promise
      const link = this.#link
      if (link === undefined) {
        throw new HostUnreachableError(
          'lost',
          'The connection to the host is lost, so nothing was sent. It is being tried again.',
        )
      }
      return link.call(path, input, options)
    },
  }

  async #keepOpen(): Promise<void> {
    let attempt = 0
    for (;;) {
      attempt += 1
      try {
        const port = await this.#carrier.open()
        const closed = Promise.withResolvers<void>()
        this.#link = linkOver(port, closed.resolve)
        this.opened.set(this.opened.get() + 1)
        this.state.set({ status: 'open' })
        this.#first.resolve()
        await closed.promise
        this.#link = undefined
        attempt = 0
        this.state.set({ status: 'lost', attempt, reason: hostText.session.connectionClosed })
      } catch (error) {
        const reason = messageOf(error)
        const code = error instanceof HostUnreachableError ? error.code : 'refused'
        this.state.set(
          this.opened.get() === 0
            ? { status: 'unreachable', code, reason }
            : { status: 'lost', attempt, reason },
        )
        if (code === 'no-token') return
      }
      await this.#wait(retryDelay(Math.max(1, attempt)))
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** An oRPC link over a port; `onClosed` is called when the port closes, after calls in flight were failed. */
function linkOver(port: HostPort, onClosed: () => void): Link {
  return new RPCLink({
    port: {
      postMessage: (data: string | Uint8Array) => port.post(data),
      onMessage: { addListener: (listener) => port.onMessage(listener) },
      onDisconnect: {
        addListener: (listener) =>
          port.onClose(() => {
            listener()
            onClosed()
          }),
      },
    },
  })
}
