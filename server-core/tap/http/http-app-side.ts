import type { Tap } from '../../ports/tap.ts'
import { TapControl, type TapIdentity } from '../control/tap-control.ts'
import { HeldMessages } from '../rules/held-messages.ts'
import type { TapRules } from '../rules/rule-schema.ts'
import { HttpRules } from './http-rules.ts'

export type HttpAppSideOptions = {
  readonly identity: TapIdentity
  readonly profile?: string
  /** The rules until the app sends others. */
  readonly rules?: TapRules
}

/** What a tap over HTTP has beside forwarding and recording: rules, held messages, and the channel to the app. */
export class HttpAppSide {
  readonly rules: HttpRules
  /** Shows frames to the app. */
  readonly tap: Tap
  readonly #control: TapControl

  constructor({ identity, profile, rules: first }: HttpAppSideOptions) {
    const held = new HeldMessages((messages) => this.#control.showHeld(messages))
    const rules = new HttpRules(held)
    this.rules = rules
    this.#control = new TapControl({
      identity,
      ...(profile !== undefined && { profile }),
      held,
      setRules: (each) => rules.set(each),
      hits: () => rules.hits,
    })
    this.tap = { record: (frame) => this.#control.record(frame) }
    if (first !== undefined) rules.set(first)
  }

  /** Looks for the app, now and from time to time. */
  start(): void {
    void this.#control.start()
  }

  close(): void {
    this.#control.close()
  }
}
