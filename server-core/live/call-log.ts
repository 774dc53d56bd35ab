import type { Invocation } from '../registry/invocation.ts'
import type { Masking } from '../capture/redaction.ts'
import { callerOf, type CallCounts } from './call-counts.ts'
import type { Observed } from './counted-view.ts'
import type { ScriptLog } from './script-log.ts'

/** Characters of the arguments in a line. */
const ARGUMENTS = 200
/** Characters of a text, and members of a list, within them. */
const PART = 80

/** Which script answers a call. */
export type Answering = { readonly file: string; readonly revision: number }

/** Counts calls, and writes those of scripts into their log. */
export class CallLog {
  readonly #counts: CallCounts
  readonly #log: ScriptLog
  readonly #masking: Masking
  readonly #changed: (key: string) => void
  #next = 1

  /** @param changed called with the key of an entry when a call of it begins and ends */
  constructor(counts: CallCounts, log: ScriptLog, masking: Masking, changed: (key: string) => void) {
    this.#counts = counts
    this.#log = log
    this.#masking = masking
    this.#changed = changed
  }

  /** @param answering the script, if it is one */
  began(
    key: string,
    name: string,
    args: unknown,
    invocation: Invocation,
    answering: Answering | undefined,
  ): Observed {
    const caller = callerOf(invocation.facts)
    this.#counts.called(key, caller)
    this.#changed(key)
    const startedAt = performance.now()
    const line = answering === undefined ? undefined : { ...answering, callId: String(this.#next) }
    this.#next += 1
    if (line !== undefined) {
      this.#log.write({
        ...line,
        kind: 'call',
        text: `${name} ${argumentsText(args, this.#masking)} from ${caller}`,
      })
    }
    return {
      ended: (failure) => {
        if (failure !== undefined) this.#counts.failed(key)
        this.#changed(key)
        if (line === undefined) return
        const took = timeText(performance.now() - startedAt)
        if (failure === undefined) this.#log.write({ ...line, kind: 'done', text: took })
        else this.#log.write({ ...line, kind: 'error', text: `${failure} (after ${took})` })
      },
    }
  }
}

function argumentsText(args: unknown, masking: Masking): string {
  // Masked before anything is cut: the beginning of a secret is not known for one.
  const json = JSON.stringify(args ?? {}, (name, value: unknown) => shortened(masking.member(name, value)))
  const text = masking.text(json)
  return text.length > ARGUMENTS ? `${text.slice(0, ARGUMENTS)}…` : text
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > PART) return `${value.slice(0, PART)}…`
  return Array.isArray(value) && value.length > PART ? value.slice(0, PART) : value
}

function timeText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`
}
