import type { DirectionConditions } from '../conditions/conditions-schema.ts'
import { areConditions, Shaper } from '../conditions/shaper.ts'
import type { Frame } from '../../ports/tap.ts'
import type { HeldMessages } from '../rules/held-messages.ts'
import { MessageReader } from '../rules/message-facts.ts'
import { RuleEngine } from '../rules/rule-engine.ts'
import { tapRulesSchema, type Direction, type TapRules } from '../rules/rule-schema.ts'
import { LineInterceptor } from '../stdio/line-interceptor.ts'

/** Sessions whose requests are remembered. */
const MOST_SESSIONS = 1_000

/** Where one message goes. */
export type MessagePorts = {
  readonly direction: Direction
  readonly reader: MessageReader
  readonly forward: (bytes: Buffer) => void
  readonly back: (bytes: Buffer) => void
  readonly record: (frame: Frame) => void
  readonly close: (reason: string) => void
}

/** Where the bytes of one direction of an exchange go. */
export type ShaperPorts = {
  readonly direction: Direction
  readonly out: (bytes: Uint8Array) => void
  readonly close: (reason: string) => void
  readonly full: (isFull: boolean) => void
}

/** The rules and conditions of a tap over HTTP, which may change while it runs. They hold from the next request on. */
export class HttpRules {
  readonly #held: HeldMessages
  #rules: TapRules = tapRulesSchema.parse({})
  #engine: RuleEngine | undefined
  readonly #active = new Set<LineInterceptor>()
  readonly #readers = new Map<string, MessageReader>()
  #exchanges = 0

  constructor(held: HeldMessages) {
    this.#held = held
  }

  /** Whether a rule or a condition can apply to a request that comes now. */
  get isActive(): boolean {
    const { on, conditions } = this.#rules
    const { toServer, toClient } = conditions
    return this.#engine?.isEmpty === false || (on && (areConditions(toServer) || areConditions(toClient)))
  }

  /** How often each rule applied, by id. */
  get hits(): Readonly<Record<string, number>> {
    return this.#engine?.hits ?? {}
  }

  /** Puts other rules in place of the present ones. @throws RangeError */
  set(rules: TapRules): void {
    if (this.#engine === undefined) this.#engine = new RuleEngine(rules)
    else this.#engine.replace(rules)
    this.#rules = rules
    for (const interceptor of this.#active) interceptor.flush()
  }

  /** What knows the requests of a session; without one, each exchange has its own. */
  reader(session: string | undefined): MessageReader {
    if (session === undefined) return new MessageReader()
    const reader = this.#readers.get(session) ?? new MessageReader()
    this.#readers.set(session, reader)
    const [oldest] = this.#readers.keys()
    if (this.#readers.size > MOST_SESSIONS && oldest !== undefined) this.#readers.delete(oldest)
    return reader
  }

  /** Applies the rules to a message. Resolves when all of it has gone where it goes. */
  async apply(message: Buffer, ports: MessagePorts): Promise<void> {
    const engine = (this.#engine ??= new RuleEngine(this.#rules))
    const settled = (): Promise<void> => Promise.resolve()
    const interceptor = new LineInterceptor({ ...ports, engine, held: this.#held, settled })
    this.#active.add(interceptor)
    try {
      await interceptor.line(message)
    } finally {
      this.#active.delete(interceptor)
    }
  }

  /** The network of one direction of an exchange; undefined if it is as it is. */
  shaper({ direction, ...ports }: ShaperPorts): Shaper | undefined {
    const { on, conditions, seed } = this.#rules
    const wanted: DirectionConditions | undefined =
      conditions[direction === 'to-server' ? 'toServer' : 'toClient']
    if (!on || !areConditions(wanted)) return undefined
    this.#exchanges += 1
    return new Shaper(wanted, { ...ports, seed, name: `${direction} ${this.#exchanges}` })
  }
}
