import type { Frame } from '../../ports/tap.ts'
import { TapControl, type TapIdentity } from '../control/tap-control.ts'
import { HeldMessages } from '../rules/held-messages.ts'
import type { TapRules } from '../rules/rule-schema.ts'
import { ServerSwap, type TappedServer } from '../swap/server-swap.ts'
import { StdioRules, type Flows } from './stdio-rules.ts'

export type AppSideOptions = {
  readonly flows: Flows
  /** Gets what rules did, as frames. */
  readonly record: (frame: Frame) => void
  readonly identity: TapIdentity
  /** The server, if it can be replaced. */
  readonly server?: TappedServer
  readonly profile?: string
  /** The rules until the app sends others. */
  readonly rules?: TapRules
}

/** What a tap over stdio has beside forwarding and recording: rules, held messages, swaps, and the channel to the app. */
export class AppSide {
  readonly #control: TapControl
  readonly #swap: ServerSwap | undefined

  constructor({ flows, record, identity, server, profile, rules: first }: AppSideOptions) {
    const held = new HeldMessages((messages) => this.#control.showHeld(messages))
    const close = (): void => Object.values(flows).forEach((flow) => flow.destroy())
    const rules = new StdioRules(flows, held, record, close)
    const swap = server === undefined ? undefined : new ServerSwap(flows, record, server)
    this.#swap = swap
    this.#control = new TapControl({
      identity,
      ...(profile !== undefined && { profile }),
      held,
      setRules: (each) => rules.set(each),
      hits: () => rules.hits,
      ...(swap !== undefined && { swap: (options) => swap.swap(options) }),
    })
    if (first !== undefined) rules.set(first)
    void this.#control.start()
  }

  /** Resolves when the swap that runs is over; undefined if none runs. */
  get swapping(): Promise<unknown> | undefined {
    return this.#swap?.running
  }

  /** Shows a frame to the app. */
  record(frame: Frame): void {
    this.#swap?.observe(frame)
    this.#control.record(frame)
  }

  close(): void {
    this.#control.close()
  }
}
