import type { FaultGate, FaultInjector } from '../ports/fault-port.ts'
import { FaultyConnection } from './faulty-connection.ts'
import type { FaultRule, FaultSettings } from './fault-settings.ts'
import { FaultyReply } from './faulty-reply.ts'
import type { Holder } from './delay-queue.ts'
import type { FaultPlace, FaultPlan } from './fault-plan.ts'
import { isOfMessages, planOf, RuleDraw, type Outgoing } from './rule-draw.ts'
import { toolOf } from './tool-of.ts'

/** One fault that was made. */
export type MadeFault = FaultPlace & {
  readonly at: number
  readonly ruleId: string
  readonly kind: FaultRule['kind']
  /** What was done, in words. */
  readonly note: string
}

/** So many of the newest are kept. */
const RECENT = 100

/**
 * The faults of one server, for all of its transports. While no rule is on, its gate is shut and the transports know
 * nothing of it.
 */
export class FaultControl implements FaultGate {
  /** A plain member: every message looks at it. */
  injector: FaultInjector | undefined = undefined
  readonly #onMade: (made: MadeFault) => void
  readonly #holders = new Set<Holder>()
  #settings: FaultSettings | undefined
  #messageDraws: readonly RuleDraw[] = []
  #requestDraws: readonly RuleDraw[] = []
  #counts = new Map<string, number>()
  #recent: readonly MadeFault[] = []

  /** `onMade` learns of every fault as it is made. */
  constructor(onMade: (made: MadeFault) => void = () => undefined) {
    this.#onMade = onMade
  }

  /** How many rules make faults just now. */
  get active(): number {
    return this.#messageDraws.length + this.#requestDraws.length
  }

  /** How often each rule made its fault, by its id, since the seed was set or faults were switched on. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }

  /** The newest faults, newest first. */
  recent(): readonly MadeFault[] {
    return this.#recent
  }

  /**
   * Puts these settings in force at once, on connections that are open too. What rules that are off now held back goes
   * out. Rules that stay as they were go on with their chances; another seed, or switching all on, starts all of them
   * over.
   */
  apply(settings: FaultSettings): void {
    const before = this.#settings
    this.#settings = settings
    const startsOver = before?.seed !== settings.seed || (settings.on && !before.on)
    if (startsOver) {
      this.#counts = new Map()
      this.#recent = []
    }
    const kept = startsOver ? [] : [...this.#messageDraws, ...this.#requestDraws]
    const rules = settings.on ? settings.rules.filter(({ enabled }) => enabled) : []
    const draws = rules.map((rule) => {
      const same = kept.find((draw) => JSON.stringify(draw.rule) === JSON.stringify(rule))
      return same ?? new RuleDraw(rule, settings.seed)
    })
    this.#messageDraws = draws.filter(isOfMessages)
    this.#requestDraws = draws.filter((draw) => !isOfMessages(draw))
    this.injector = draws.length === 0 ? undefined : (this.injector ?? this.#makeInjector())
    const isOver = (ruleId: string): boolean => !rules.some(({ id }) => id === ruleId)
    for (const queue of [...this.#holders]) {
      if (this.injector === undefined) queue.flush()
      else queue.unstall(isOver)
    }
  }

  #makeInjector(): FaultInjector {
    const holders = this.#holders
    const plan = (outgoing: Outgoing): FaultPlan | undefined =>
      planOf(this.#messageDraws, outgoing, (rule, note) => {
        this.#made(rule, outgoing, note)
      })
    return {
      line: (transport, outlet) => new FaultyConnection({ transport, outlet, holders, plan }),
      reply: (transport, message, target) =>
        new FaultyReply({ transport, tool: toolOf(message), target, holders, plan }),
      refusal: (transport, message) => {
        const rule = this.#struck('status', { transport, tool: toolOf(message) })
        if (rule?.kind !== 'status') return undefined
        const { status, retryAfter } = rule
        return { status, ...(retryAfter !== undefined && { retryAfter }) }
      },
      losesSession: (transport, message) =>
        this.#struck('session-loss', { transport, tool: toolOf(message) }) !== undefined,
    }
  }

  /** The first rule of that kind that makes its fault there now. */
  #struck(kind: 'status' | 'session-loss', place: FaultPlace): FaultRule | undefined {
    for (const draw of this.#requestDraws) {
      const { rule } = draw
      if (rule.kind !== kind || !draw.triggers(place)) continue
      const note =
        rule.kind === 'status'
          ? `status: answered with HTTP ${rule.status}`
          : `${kind}: its session was ended`
      this.#made(rule, place, note)
      return rule
    }
    return undefined
  }

  #made({ id, kind }: FaultRule, { transport, tool }: FaultPlace, note: string): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    const made = { at: Date.now(), ruleId: id, kind, transport, tool, note }
    this.#recent = [made, ...this.#recent.slice(0, RECENT - 1)]
    this.#onMade(made)
  }
}
