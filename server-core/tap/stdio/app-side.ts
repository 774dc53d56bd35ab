import type { Frame } from '../../ports/tap.ts'
import { TapControl, type TapIdentity } from '../control/tap-control.ts'
import { HeldMessages } from '../rules/held-messages.ts'
import type { TapRules } from '../rules/rule-schema.ts'
import { StdioRules, type Flows } from './stdio-rules.ts'

export type AppSideOptions = {
  readonly flows: Flows
  /** Gets what rules did, as frames. */
  readonly record: (frame: Frame) => void
  readonly identity: TapIdentity
  readonly profile?: string
  /** The rules until the app sends others. */
  readonly rules?: TapRules
}

/** What a tap has beside forwarding and recording: rules, held messages, and the channel to the app. */
export class AppSide {
  readonly #control: TapControl

  constructor({ flows, record, identity, profile, rules: first }: AppSideOptions) {
    const held = new HeldMessages((messages) => this.#control.showHeld(messages))
    const close = (): void => Object.values(flows).forEach((flow) => flow.destroy())
    const rules = new StdioRules(flows, held, record, close)
    this.#control = new TapControl({
      identity,
      ...(profile !== undefined && { profile }),
      held,
      setRules: (each) => rules.set(each),
      hits: () => rules.hits,
    })
    if (first !== undefined) rules.set(first)
    void this.#control.start()
  }

  /** Shows a frame to the app. */
  record(frame: Frame): void {
    this.#control.record(frame)
  }

  close(): void {
    this.#control.close()
  }
}
