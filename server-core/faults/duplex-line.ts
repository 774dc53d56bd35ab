import { isJsonObject } from '../protocol/json.ts'
import type { FaultLine, FaultOutlet } from '../transports/fault-port.ts'
import type { FaultTransport } from './fault-settings.ts'
import { Lane, type Holder } from './lane.ts'
import { plain, type Plan } from './plan.ts'
import type { Outgoing } from './rule-draw.ts'
import { idKeyOf, toolOf } from './tool-of.ts'

/** Calls whose tools are remembered until they are answered; more than any client has open. */
const MOST_CALLS = 10_000

export type LineOptions = {
  readonly transport: FaultTransport
  readonly outlet: FaultOutlet
  readonly holders: Set<Holder>
  readonly plan: (outgoing: Outgoing) => Plan | undefined
}

/** Faults on a connection, or a session's stream, that many messages go over. */
export class DuplexLine implements FaultLine {
  readonly #options: LineOptions
  readonly #lane: Lane<Plan>
  /** The tools of calls without an answer. */
  readonly #tools = new Map<string, string>()
  #index = 0
  #isOver = false

  constructor(options: LineOptions) {
    this.#options = options
    this.#lane = new Lane((plan) => {
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
    const keepsPlace = this.#lane.hasAside
    const planned = plan({ transport, tool: this.#toolOf(bytes), bytes, index, keepsPlace })
    if (planned === undefined && this.#lane.isEmpty) this.#options.outlet.pass(bytes)
    else {
      const made = planned ?? plain(bytes)
      this.#mark(made)
      this.#lane.push(made, made.holding)
    }
  }

  end(): void {
    this.#isOver = true
    this.#tools.clear()
    this.#lane.stop()
  }

  #out({ bytes, copies, end, flood }: Plan): void {
    if (this.#isOver) return
    const { outlet } = this.#options
    if (flood > 0) outlet.flood?.(flood)
    if (end === 'cut') outlet.cut?.(bytes)
    else if (end === 'close') outlet.close()
    else for (let copy = 0; copy < copies; copy += 1) outlet.pass(bytes)
  }

  #mark({ notes }: Plan): void {
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
