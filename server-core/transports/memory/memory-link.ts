import { limitsOf, type Limits } from '../../protocol/limits.ts'
import type { JsonRpcMessage } from '../../protocol/messages.ts'
import { parseFromClient, parseMessage } from '../../protocol/parse.ts'
import {
  TransportError,
  type ClientReceiver,
  type ClientTransport,
  type LinkReceiver,
  type ServerLink,
} from '../../ports/contract.ts'
import {
  NO_FAULTS,
  type FaultGate,
  type FaultInjector,
  type FaultConnection,
} from '../../ports/fault-port.ts'
import { bytesOf } from '../../ports/encoded-message.ts'
import { rawFrame } from '../../ports/raw-frame.ts'
import { NO_TAP, type Tap } from '../../ports/tap.ts'

/** Taps, limits and faults of a pair. */
export type MemoryPairOptions = {
  /** Sees the client's end. */
  readonly tap?: Tap
  /** Sees the server's end. */
  readonly serverTap?: Tap
  /** Default for those that are missing; `RangeError` for an invalid one. */
  readonly limits?: Partial<Limits>
  /** Faults that the server's end makes on purpose. */
  readonly faults?: FaultGate
}

/** Both ends of a connection in memory. */
export type MemoryPair = { readonly client: ClientTransport; readonly server: ServerLink }

const NOTHING = new Uint8Array()

/**
 * A client and a server connected inside one process. Messages cross as bytes, like on any other transport, so
 * neither side ever holds the other's objects; they arrive in order, after the caller's own turn.
 *
 * @example
 * ```ts
 * import { connect } from 'patchbay/client'
 * import { memoryPair } from 'patchbay/memory'
 * import { createServer, Registry } from 'patchbay/server'
 *
 * const registry = new Registry()
 * registry.addTool({ name: 'hello', run: () => 'Hello' })
 * const server = createServer({ registry, info: { name: 'tested', version: '1.0.0' } })
 * const pair = memoryPair()
 * server.attach(pair.server)
 * const connection = await connect({ open: () => pair.client, identity: { name: 'test', version: '1.0.0' } })
 * console.log((await connection.listTools()).items.map(({ name }) => name))
 * await connection.close()
 * ```
 */
export function memoryPair(options: MemoryPairOptions = {}): MemoryPair {
  const pair = new Pair(options)
  return {
    client: {
      kind: 'memory',
      start: (receiver) => pair.startClient(receiver),
      send: (message) => pair.fromClient(Buffer.from(JSON.stringify(message)), message),
      sendRaw: async (bytes) => {
        await pair.fromClient(Buffer.from(bytes))
        return {}
      },
      close: () => pair.close(),
      evidence: () => ({}),
    },
    server: {
      kind: 'memory',
      start: (receiver) => {
        pair.startServer(receiver)
      },
      send: (message) => {
        pair.sent(Buffer.from(JSON.stringify(message)))
      },
      sendEncoded: (message) => {
        pair.sent(bytesOf(message))
      },
      close: () => pair.close(),
    },
  }
}

class Pair {
  readonly #limits: Limits
  readonly #clientTap: Tap
  readonly #serverTap: Tap
  readonly #faults: FaultGate
  #line: FaultConnection | undefined
  #client: ClientReceiver | undefined
  #server: LinkReceiver | undefined
  /** What came before the server was listening. */
  #early: (() => void)[] = []
  #open = true

  constructor(options: MemoryPairOptions) {
    this.#limits = limitsOf(options.limits)
    this.#clientTap = options.tap ?? NO_TAP
    this.#serverTap = options.serverTap ?? NO_TAP
    this.#faults = options.faults ?? NO_FAULTS
  }

  startClient(receiver: ClientReceiver): Promise<void> {
    this.#client = receiver
    this.#lifecycle('opened')
    return this.#open ? Promise.resolve() : Promise.reject(closedError())
  }

  startServer(receiver: LinkReceiver): void {
    this.#server = receiver
    for (const deliver of this.#early.splice(0)) queueMicrotask(deliver)
  }

  fromClient(bytes: Buffer, message?: JsonRpcMessage): Promise<void> {
    if (!this.#open) return Promise.reject(closedError())
    this.#clientTap.record(
      message === undefined
        ? rawFrame(bytes, this.#limits)
        : { kind: 'message', direction: 'sent', bytes, parsed: message },
    )
    const deliver = () => {
      this.#toServer(bytes)
    }
    if (this.#server === undefined) this.#early.push(deliver)
    else queueMicrotask(deliver)
    return Promise.resolve()
  }

  /** Receives what the server sends. */
  sent(bytes: Uint8Array): void {
    const { injector } = this.#faults
    if (injector === undefined) this.#fromServer(bytes)
    else this.#faulty(injector).send(bytes)
  }

  #fromServer(bytes: Uint8Array): void {
    if (!this.#open) return
    this.#serverTap.record({ kind: 'message', direction: 'sent', bytes })
    queueMicrotask(() => {
      const parsed = parseMessage(bytes, this.#limits)
      const tapped = { direction: 'received', bytes } as const
      if (parsed.ok) {
        this.#clientTap.record({ kind: 'message', ...tapped, parsed: parsed.value })
        this.#client?.message({ value: parsed.value, bytes })
      } else {
        this.#clientTap.record({ kind: 'invalid', ...tapped, reason: parsed.error.message })
        this.#client?.invalid(bytes, parsed.error.message)
      }
    })
  }

  close(): Promise<void> {
    if (!this.#open) return Promise.resolve()
    this.#open = false
    this.#line?.end()
    // What was sent before arrives before.
    queueMicrotask(() => {
      this.#lifecycle('closed')
      this.#server?.closed()
      this.#client?.closed(closedError())
    })
    return Promise.resolve()
  }

  #toServer(bytes: Uint8Array): void {
    const parsed = parseFromClient(bytes, this.#limits)
    const tapped = { direction: 'received', bytes } as const
    if (parsed.ok) {
      this.#serverTap.record({ kind: 'message', ...tapped, parsed: parsed.value })
      const { injector } = this.#faults
      if (injector !== undefined) this.#faulty(injector).received(parsed.value)
      this.#server?.message(parsed.value)
    } else {
      this.#serverTap.record({ kind: 'invalid', ...tapped, reason: parsed.error.message })
      this.#server?.invalid(parsed.error)
    }
  }

  #faulty(injector: FaultInjector): FaultConnection {
    return (this.#line ??= injector.line('memory', {
      pass: (bytes) => {
        this.#fromServer(bytes)
      },
      close: () => {
        void this.close()
      },
      mark: (note) => {
        this.#serverTap.record({ kind: 'fault', direction: 'sent', bytes: Buffer.from(note) })
      },
    }))
  }

  #lifecycle(event: 'opened' | 'closed'): void {
    const frame = { kind: 'lifecycle', bytes: NOTHING, event, note: `in-memory link ${event}` } as const
    this.#clientTap.record({ ...frame, direction: 'sent' })
    this.#serverTap.record({ ...frame, direction: 'received' })
  }
}

function closedError(): TransportError {
  return new TransportError('closed', 'the in-memory link is closed')
}
