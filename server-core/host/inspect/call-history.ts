import type { EndedCall, RequestOutcome } from '../contract/inspect.ts'

/** Calls that are kept of one tab. */
const OF_A_TAB = 50
/** Characters of arguments and answers that are kept of all tabs. */
const CHARACTERS = 64 * 1024 * 1024

type Kept = EndedCall & { readonly tab: string; readonly length: number }

/**
 * The calls that ended, with what became of them, so that a page that is loaded again shows what it showed before. Kept
 * in memory until Patchbay ends: the newest of each tab, and of all tabs as many as fit the bound.
 */
export class CallHistory {
  /** Oldest first. */
  #kept: readonly Kept[] = []

  /** Notes a call of a tab that ended. The oldest calls of that tab, then of all, are discarded beyond the bounds. */
  add(tab: string, call: EndedCall): void {
    const length = call.argumentsText.length + lengthOf(call.outcome)
    const kept = [...this.#kept, { ...call, tab, length }]
    let ofTab = kept.reduce((count, each) => count + (each.tab === tab ? 1 : 0), 0)
    let characters = kept.reduce((sum, each) => sum + each.length, 0)
    this.#kept = kept.filter((each) => {
      // The call that just ended is kept whatever its length.
      const isTooMany = each.tab === tab && ofTab > OF_A_TAB
      if (each.callId === call.callId || (!isTooMany && characters <= CHARACTERS)) return true
      if (each.tab === tab) ofTab -= 1
      characters -= each.length
      return false
    })
  }

  /** The calls of a tab, the newest first. */
  of(tab: string): EndedCall[] {
    return this.#kept
      .filter((each) => each.tab === tab)
      .map(({ callId, at, argumentsText, outcome }) => ({ callId, at, argumentsText, outcome }))
      .reverse()
  }

  /** What became of a call, if it is kept. */
  outcome(callId: string): RequestOutcome | undefined {
    return this.#kept.find((each) => each.callId === callId)?.outcome
  }
}

function lengthOf(outcome: RequestOutcome): number {
  return outcome.type === 'failure' ? outcome.message.length : outcome.messageText.length
}
