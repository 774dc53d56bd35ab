import { areConditions, Shaper } from '../conditions/shaper.ts'
import type { Frame } from '../../ports/tap.ts'
import type { HeldMessages } from '../rules/held-messages.ts'
import { RuleEngine } from '../rules/rule-engine.ts'
import type { Direction, TapRules } from '../rules/rule-schema.ts'
import type { Flow } from './flow.ts'
import { LineInterceptor } from './line-interceptor.ts'

/** The two directions of a tap. */
export type Flows = Readonly<Record<Direction, Flow>>

const DIRECTIONS: readonly Direction[] = ['to-server', 'to-client']
const OTHER: Readonly<Record<Direction, Direction>> = { 'to-server': 'to-client', 'to-client': 'to-server' }

/** The rules and conditions of a tap over stdio, which may change while it runs. Without any, bytes pass as they come. */
export class StdioRules {
  readonly #flows: Flows
  readonly #held: HeldMessages
  readonly #record: (frame: Frame) => void
  readonly #close: (reason: string) => void
  #engine: RuleEngine | undefined
  #shapers: Partial<Record<Direction, Shaper>> = {}
  #interceptors: Partial<Record<Direction, LineInterceptor>> = {}

  constructor(
    flows: Flows,
    held: HeldMessages,
    record: (frame: Frame) => void,
    close: (reason: string) => void,
  ) {
    this.#flows = flows
    this.#held = held
    this.#record = record
    this.#close = close
  }

  /** How often each rule applied, by id. */
  get hits(): Readonly<Record<string, number>> {
    return this.#engine?.hits ?? {}
  }

  /** Puts other rules in place of the present ones, from the next line on. @throws RangeError */
  set(rules: TapRules): void {
    const { on, conditions, seed } = rules
    if (this.#engine === undefined) this.#engine = new RuleEngine(rules)
    else this.#engine.replace(rules)
    for (const interceptor of Object.values(this.#interceptors)) interceptor.flush()
    for (const shaper of Object.values(this.#shapers)) shaper.flush()
    this.#shapers = {}
    for (const direction of DIRECTIONS) {
      const wanted = on ? conditions[direction === 'to-server' ? 'toServer' : 'toClient'] : undefined
      if (areConditions(wanted)) this.#shapers[direction] = this.#shaper(direction, wanted, seed)
    }
    const passes = this.#engine.isEmpty && Object.keys(this.#shapers).length === 0
    for (const direction of DIRECTIONS) {
      const interceptor = passes
        ? undefined
        : (this.#interceptors[direction] ??= this.#interceptor(direction, this.#engine))
      this.#flows[direction].intercept(interceptor)
    }
  }

  #interceptor(direction: Direction, engine: RuleEngine): LineInterceptor {
    return new LineInterceptor({
      direction,
      engine,
      held: this.#held,
      forward: (bytes) => this.#deliver(direction, bytes),
      back: (bytes) => {
        const shaper = this.#shapers[OTHER[direction]]
        if (shaper === undefined) this.#flows[OTHER[direction]].inject(bytes)
        else shaper.push(bytes)
      },
      record: this.#record,
      close: this.#close,
      settled: async () => this.#shapers[direction]?.end(),
    })
  }

  #deliver(direction: Direction, bytes: Buffer): void {
    const shaper = this.#shapers[direction]
    if (shaper === undefined) this.#flows[direction].forward(bytes)
    else shaper.push(bytes)
  }

  #shaper(
    direction: Direction,
    conditions: NonNullable<TapRules['conditions']['toServer']>,
    seed: number,
  ): Shaper {
    const flow = this.#flows[direction]
    return new Shaper(conditions, {
      seed,
      name: direction,
      out: (bytes) => flow.forward(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
      full: (isFull) => {
        if (isFull) flow.hold('conditions')
        else flow.release('conditions')
      },
      close: (reason) => {
        this.#record({ kind: 'fault', direction: 'sent', bytes: Buffer.from(`conditions: ${reason}`) })
        this.#close(reason)
      },
    })
  }
}
