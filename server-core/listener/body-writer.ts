import type { HeadFields, ListenerExchange } from './listener-exchange.ts'
import type { StreamMonitor, Ticking } from './stream-monitor.ts'
import { Outgoing, SLICE_BYTES } from '../transports/outgoing.ts'

/** Answers with one JSON-RPC message. A reader that does not take it in time is cut off. */
export function sendBody(
  exchange: ListenerExchange,
  keeper: StreamMonitor,
  status: number,
  bytes: Uint8Array,
  fields?: HeadFields,
): void {
  if (bytes.length > SLICE_BYTES) {
    new LongBody(exchange, keeper).send(status, bytes, fields)
    return
  }
  exchange.sendMessage(status, bytes, fields)
  // What the system took at once needs no watching, and that is nearly everything.
  if (exchange.request.socket.writableLength > 0) keeper.watch(new ShortBody(exchange, keeper))
}

/** A body that went out in one piece. */
class ShortBody implements Ticking {
  readonly #exchange: ListenerExchange
  readonly #keeper: StreamMonitor
  readonly #since = performance.now()

  constructor(exchange: ListenerExchange, keeper: StreamMonitor) {
    this.#exchange = exchange
    this.#keeper = keeper
  }

  tick(now: number): void {
    const { response } = this.#exchange
    const { outgoingStallMs } = this.#keeper.limits
    if (response.writableFinished || response.destroyed) this.#keeper.forget(this)
    else if (now - this.#since > outgoingStallMs) {
      this.#keeper.forget(this)
      this.#keeper.countCut()
      this.#exchange.cutOff(`it took nothing for ${outgoingStallMs} ms (limit outgoingStallMs)`)
    }
  }
}

/** A body that goes out slice by slice. */
class LongBody implements Ticking {
  readonly #exchange: ListenerExchange
  readonly #keeper: StreamMonitor
  readonly #outgoing: Outgoing

  constructor(exchange: ListenerExchange, keeper: StreamMonitor) {
    this.#exchange = exchange
    this.#keeper = keeper
    this.#outgoing = new Outgoing(exchange.response, keeper.limits, (reason) => {
      keeper.countCut()
      exchange.cutOff(reason)
    })
  }

  send(status: number, bytes: Uint8Array, fields?: HeadFields): void {
    const { response } = this.#exchange
    this.#keeper.watch(this)
    response.on('drain', () => {
      this.#outgoing.drained()
    })
    response.on('close', () => {
      this.#outgoing.stop()
      this.#keeper.forget(this)
    })
    this.#exchange.beginMessage(status, bytes, fields)
    this.#outgoing.writeCut(bytes)
    this.#outgoing.whenEmpty(() => {
      response.end()
    })
  }

  tick(now: number): void {
    this.#outgoing.tick(now)
  }
}
