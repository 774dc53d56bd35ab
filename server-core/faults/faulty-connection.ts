import { isJsonObject } from '../protocol/json.ts'
import type { FaultConnection, FaultOutlet } from '../ports/fault-port.ts'
import type { FaultTransport } from './fault-settings.ts'
import { DelayQueue, type Holder } from './delay-queue.ts'
import { plain, type FaultPlan } from './fault-plan.ts'
import type { Outgoing } from './rule-draw.ts'
import { idKeyOf, toolOf } from './tool-of.ts'

/** Calls whose tools are remembered until they are answered; more than any client has open. */
const MOST_CALLS = 10_000

export type FaultyConnectionOptions = {
  readonly transport: FaultTransport
  readonly outlet: FaultOutlet
  readonly holders: Set<Holder>
  readonly plan: (outgoing: Outgoing) => FaultPlan | undefined
}

/** Faults on a connection, or a session's stream, that many messages go over. */
export class FaultyConnection implements FaultConnection {
  readonly #options: FaultyConnectionOptions
  readonly #queue: DelayQueue<FaultPlan>
  /** The tools of calls without an answer. */
  readonly #tools = new Map<string, string>()
  #index = 0
  #isOver = false

  constructor(options: FaultyConnectionOptions) {
    this.#options = options
    this.#queue = new DelayQueue((plan) => {
      this.#out(plan)
    }, options.holders)
  }

  received(message: unknown): void {
    for (const each of Array.isArray(message) ? message : [message]) {
      const tool = toolOf(each)
      const key = idKeyOf(each)
      if (tool === undefined || key === undefined || this.#tools.size >= MOST_CALLS) continue
      this.#tools.set(key, tool)
    }
  }

  send(bytes: Uint8Array): void {
    const { transport, plan } = this.#options
    const index = this.#index
    this.#index += 1
    const keepsPlace = this.#queue.hasAside
    const planned = plan({ transport, tool: this.#toolOf(bytes), bytes, index, keepsPlace })
    if (planned === undefined && this.#queue.isEmpty) this.#options.outlet.pass(bytes)
    else {
      const made = planned ?? plain(bytes)
      this.#mark(made)
      this.#queue.push(made, made.holding)
    }
  }

  end(): void {
    this.#isOver = true
    this.#tools.clear()
    this.#queue.stop()
  }

  #out({ bytes, copies, end, flood }: FaultPlan): void {
    if (this.#isOver) return
    const { outlet } = this.#options
    if (flood > 0) outlet.flood?.(flood)
    if (end === 'cut') outlet.cut?.(bytes)
    else if (end === 'close') outlet.close()
    else for (let copy = 0; copy < copies; copy += 1) outlet.pass(bytes)
  }

  #mark({ notes }: FaultPlan): void {
    for (const note of notes) this.#options.outlet.mark(note)
  }

  /** The tool whose call a message answers. */
  #toolOf(bytes: Uint8Array): string | undefined {
    if (this.#tools.size === 0) return undefined
    const message: unknown = JSON.parse(Buffer.from(bytes).toString())
    if (!isJsonObject(message) || 'method' in message) return undefined
    const key = idKeyOf(message)
    const tool = key === undefined ? undefined : this.#tools.get(key)
    if (key !== undefined) this.#tools.delete(key)
    return tool
  }
}
