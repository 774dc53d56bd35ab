import type { HeadFields, ListenerExchange } from './listener-exchange.ts'
import type { StreamMonitor, Ticking } from './stream-monitor.ts'
import { Outgoing, SLICE_BYTES } from '../transports/outgoing.ts'

/** Answers with one JSON-RPC message. A reader that does not take it in time is cut off. */
export function sendBody(
  exchange: ListenerExchange,
  monitor: StreamMonitor,
  status: number,
  bytes: Uint8Array,
  fields?: HeadFields,
): void {
  if (bytes.length > SLICE_BYTES) {
    new LongBody(exchange, monitor).send(status, bytes, fields)
    return
  }
  exchange.sendMessage(status, bytes, fields)
  // What the system took at once needs no watching, and that is nearly everything.
  if (exchange.request.socket.writableLength > 0) monitor.watch(new ShortBody(exchange, monitor))
}

/** A body that went out in one piece. */
class ShortBody implements Ticking {
  readonly #exchange: ListenerExchange
  readonly #monitor: StreamMonitor
  readonly #since = performance.now()

  constructor(exchange: ListenerExchange, monitor: StreamMonitor) {
    this.#exchange = exchange
    this.#monitor = monitor
  }

  tick(now: number): void {
    const { response } = this.#exchange
    const { outgoingStallMs } = this.#monitor.limits
    if (response.writableFinished || response.destroyed) this.#monitor.forget(this)
    else if (now - this.#since > outgoingStallMs) {
      this.#monitor.forget(this)
      this.#monitor.countCut()
      this.#exchange.cutOff(`it took nothing for ${outgoingStallMs} ms (limit outgoingStallMs)`)
    }
  }
}

/** A body that goes out slice by slice. */
class LongBody implements Ticking {
  readonly #exchange: ListenerExchange
  readonly #monitor: StreamMonitor
  readonly #outgoing: Outgoing

  constructor(exchange: ListenerExchange, monitor: StreamMonitor) {
    this.#exchange = exchange
    this.#monitor = monitor
    this.#outgoing = new Outgoing(exchange.response, monitor.limits, (reason) => {
      monitor.countCut()
      exchange.cutOff(reason)
    })
  }

  send(status: number, bytes: Uint8Array, fields?: HeadFields): void {
    const { response } = this.#exchange
    this.#monitor.watch(this)
    response.on('drain', () => {
      this.#outgoing.drained()
    })
    response.on('close', () => {
      this.#outgoing.stop()
      this.#monitor.forget(this)
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
