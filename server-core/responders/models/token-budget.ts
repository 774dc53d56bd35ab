import { RuleError } from '../rule-error.ts'
import type { ResponderLimits } from '../settings.ts'

/** Tokens that models used up, by day (`2026-07-28`, UTC) and server. */
export type TokenLedger = {
  /** What was used so far on that day. */
  used(day: string, serverId: string): number
  add(day: string, serverId: string, tokens: number): Promise<void>
}

/** Tokens set aside for one answer. */
export type Reservation = {
  /** Tokens that the answer may have at most. */
  readonly maxTokens: number
  /** Books what was used up, question and answer together, and lets go of what was set aside. */
  settle(tokens: number): Promise<void>
}

/**
 * What models may use up for the server of one connection, on a day and in all. Answers that are under way at the same
 * time have their share set aside, so that together they stay within it but for the length of their questions, which
 * is known only afterwards.
 */
export class TokenBudget {
  readonly #serverId: string
  readonly #ledger: TokenLedger
  readonly #now: () => number
  #usedByConnection = 0
  #reserved = 0

  constructor(serverId: string, ledger: TokenLedger, now: () => number = Date.now) {
    this.#serverId = serverId
    this.#ledger = ledger
    this.#now = now
  }

  /** Tokens used up for this connection. */
  get usedByConnection(): number {
    return this.#usedByConnection
  }

  /** Tokens used up for the server today. */
  get usedToday(): number {
    return this.#ledger.used(this.#day(), this.#serverId)
  }

  /** Sets tokens aside. Throws a `RuleError` (`budget`) if none are left. */
  reserve(
    wanted: number,
    limits: Pick<ResponderLimits, 'tokensPerDay' | 'tokensPerConnection'>,
  ): Reservation {
    const ofDay = limits.tokensPerDay - this.usedToday - this.#reserved
    const ofConnection = limits.tokensPerConnection - this.#usedByConnection - this.#reserved
    const left = Math.min(ofDay, ofConnection)
    if (left < 1) {
      const which =
        ofDay <= ofConnection
          ? `${limits.tokensPerDay} tokens of today (UTC)`
          : `${limits.tokensPerConnection} tokens of this connection`
      throw new RuleError(
        'budget',
        `The ${which} that models may use up for this server are used up or set aside. Raise the limit, or answer yourself.`,
      )
    }
    const maxTokens = Math.min(wanted, left)
    this.#reserved += maxTokens
    let isOpen = true
    return {
      maxTokens,
      settle: async (tokens) => {
        if (!isOpen) return
        isOpen = false
        this.#reserved -= maxTokens
        this.#usedByConnection += tokens
        if (tokens > 0) await this.#ledger.add(this.#day(), this.#serverId, tokens)
      },
    }
  }

  #day(): string {
    return new Date(this.#now()).toISOString().slice(0, 10)
  }
}
