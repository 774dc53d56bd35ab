import type { EndedCall, RequestOutcome, RunningCall } from '../contract/inspect.ts'
import type { CallFiles } from '../window-state/call-files.ts'

/** Calls that are kept of one tab. */
const OF_A_TAB = 50
/** Characters of arguments and answers that are kept of all tabs. */
const CHARACTERS = 64 * 1024 * 1024

type Kept = EndedCall & { readonly tab: string; readonly length: number }

/**
 * The calls that ended, with what became of them, so that a page that is loaded again shows what it showed before, also
 * after Patchbay was started again. In memory are the newest of each tab, and of all tabs as many as fit the bound.
 */
export class CallHistory {
  readonly #files: CallFiles
  /** Oldest first. */
  #kept: readonly Kept[] = []
  /** Tabs whose calls of earlier runs were read. */
  readonly #read = new Map<string, Promise<void>>()

  constructor(files: CallFiles) {
    this.#files = files
  }

  /** Notes a call of a tab that was sent. */
  started(tab: string, call: RunningCall): void {
    this.#files.started(tab, call)
  }

  /** Notes a call of a tab that ended. The oldest calls of that tab, then of all, are discarded beyond the bounds. */
  add(tab: string, call: EndedCall, isStored: boolean): void {
    if (isStored) this.#files.ended(tab, call)
    this.#keep([...this.#kept, kept(tab, call)], call.callId)
  }

  /** The calls of a tab, the newest first. */
  async of(tab: string): Promise<EndedCall[]> {
    const reading = this.#read.get(tab) ?? this.#readEarlier(tab)
    this.#read.set(tab, reading)
    await reading
    return this.#kept
      .filter((each) => each.tab === tab)
      .map(({ tab: _tab, length: _length, ...call }) => call)
      .reverse()
  }

  /** What became of a call, if it is kept. */
  outcome(callId: string): RequestOutcome | undefined {
    return this.#kept.find((each) => each.callId === callId)?.outcome
  }

  async #readEarlier(tab: string): Promise<void> {
    const { ended, interrupted } = await this.#files.earlier(tab)
    const known = new Set(this.#kept.map(({ callId }) => callId))
    const calls = [...ended, ...interrupted.map((call) => ({ ...call, outcome: INTERRUPTED }))]
    const earlier = calls
      .filter(({ callId }) => !known.has(callId))
      .toSorted((a, b) => a.at - b.at)
      .map((call) => kept(tab, { ...call, isEarlier: true }))
    const newest = this.#kept.at(-1) ?? earlier.at(-1)
    this.#keep([...earlier, ...this.#kept], newest?.callId)
  }

  /** @param always a call that is kept whatever its length */
  #keep(calls: readonly Kept[], always: string | undefined): void {
    const ofTab = new Map<string, number>()
    for (const { tab } of calls) ofTab.set(tab, (ofTab.get(tab) ?? 0) + 1)
    let characters = calls.reduce((sum, each) => sum + each.length, 0)
    this.#kept = calls.filter(({ tab, callId, length }) => {
      const count = ofTab.get(tab) ?? 0
      if (callId === always || (count <= OF_A_TAB && characters <= CHARACTERS)) return true
      ofTab.set(tab, count - 1)
      characters -= length
      return false
    })
  }
}

const INTERRUPTED: RequestOutcome = {
  type: 'failure',
  code: 'interrupted',
  message: 'Patchbay ended before the result came. The call may or may not have run.',
  durationMs: 0,
  revision: '',
}

function kept(tab: string, call: EndedCall): Kept {
  return { ...call, tab, length: call.argumentsText.length + lengthOf(call.outcome) }
}

function lengthOf(outcome: RequestOutcome): number {
  return outcome.type === 'failure' ? outcome.message.length : outcome.messageText.length
}
