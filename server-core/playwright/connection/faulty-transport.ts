import type { FaultControl } from '../../faults/fault-control.ts'
import type { FaultConnection } from '../../ports/fault-port.ts'
import {
  TransportError,
  type ClientReceiver,
  type ClientTransport,
  type Incoming,
} from '../../ports/contract.ts'
import type { Tap } from '../../ports/tap.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import type { JsonRpcMessage } from '../../protocol/messages.ts'
import { parseMessage } from '../../protocol/parse.ts'

/**
 * A client's transport whose incoming messages get the faults that are set, whatever the server is. HTTP faults that only
 * a server can make (`session-loss`) do nothing here.
 */
export function faultyTransport(inner: ClientTransport, faults: FaultControl, tap: Tap): ClientTransport {
  const faulty = new FaultyTransport(inner, faults, tap)
  return {
    kind: inner.kind,
    start: (receiver) => faulty.start(receiver),
    send: (message, options) => {
      if (faulty.refuses(message)) return Promise.resolve()
      faulty.sending(message)
      return inner.send(message, options)
    },
    sendRaw: (bytes, options) => inner.sendRaw(bytes, options),
    ...(inner.abandon !== undefined && { abandon: (id) => inner.abandon?.(id) }),
    ...(inner.openStream !== undefined && { openStream: () => inner.openStream?.() }),
    close: () => faulty.close(),
    evidence: () => inner.evidence(),
  }
}

class FaultyTransport {
  readonly #inner: ClientTransport
  readonly #faults: FaultControl
  readonly #tap: Tap
  #receiver: ClientReceiver | undefined
  #connection: FaultConnection | undefined
  /** A fault has ended the connection. */
  #isBroken = false

  constructor(inner: ClientTransport, faults: FaultControl, tap: Tap) {
    this.#inner = inner
    this.#faults = faults
    this.#tap = tap
  }

  start(receiver: ClientReceiver): Promise<void> {
    this.#receiver = receiver
    return this.#inner.start({
      message: (incoming) => {
        this.#received(incoming)
      },
      invalid: (bytes, reason) => {
        if (!this.#isBroken) receiver.invalid(bytes, reason)
      },
      requestFailed: (id, error) => {
        if (!this.#isBroken) receiver.requestFailed(id, error)
      },
      ...(receiver.held !== undefined && { held: receiver.held.bind(receiver) }),
      closed: (error) => {
        this.#connection?.end()
        if (!this.#isBroken) receiver.closed(error)
      },
    })
  }

  /** Lets a call be known, so that faults of its tool meet the answer. */
  sending(message: JsonRpcMessage): void {
    if (this.#faults.injector !== undefined) this.#line()?.received(message)
  }

  /** Answers a request with an HTTP status in place of sending it. */
  refuses(message: JsonRpcMessage): boolean {
    if (!('method' in message && 'id' in message)) return false
    const { kind } = this.#inner
    const refusal = this.#faults.injector?.refusal(kind, message)
    if (refusal === undefined || (kind !== 'http' && kind !== 'sse')) return false
    this.#mark(`status: answered with HTTP ${refusal.status}`)
    const error = new TransportError('http-status', `the server answered with HTTP ${refusal.status}`, {
      httpStatus: refusal.status,
    })
    queueMicrotask(() => this.#receiver?.requestFailed(message.id, error))
    return true
  }

  async close(): Promise<void> {
    this.#connection?.end()
    await this.#inner.close()
  }

  #received(incoming: Incoming): void {
    if (this.#isBroken) return
    const line = this.#faults.injector === undefined ? this.#connection : this.#line()
    if (line === undefined) this.#receiver?.message(incoming)
    else line.send(incoming.bytes)
  }

  #line(): FaultConnection | undefined {
    return (this.#connection ??= this.#faults.injector?.line(this.#inner.kind, {
      pass: (bytes) => {
        this.#pass(bytes)
      },
      cut: () => {
        this.#break('cut')
      },
      close: () => {
        this.#break('closed')
      },
      mark: (note) => {
        this.#mark(note)
      },
    }))
  }

  #pass(bytes: Uint8Array): void {
    if (this.#isBroken) return
    const parsed = parseMessage(bytes, DEFAULT_LIMITS)
    if (parsed.ok) this.#receiver?.message({ value: parsed.value, bytes })
    else this.#receiver?.invalid(bytes, parsed.error.message)
  }

  #break(how: string): void {
    if (this.#isBroken) return
    this.#isBroken = true
    this.#receiver?.closed(new TransportError('connection-failed', `the connection was ${how} by a fault`))
    void this.#inner.close()
  }

  #mark(note: string): void {
    this.#tap.record({ kind: 'fault', direction: 'sent', bytes: Buffer.from(note) })
  }
}
