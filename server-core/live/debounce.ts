/** Milliseconds of quiet after which a change is looked at; an editor writes in more than one step. */
const QUIET_MS = 15
/** Milliseconds after which it is looked at, however much goes on. */
const LONGEST_MS = 120
/** So many paths at once are not edits: a branch is switched, and that takes its time. */
const MANY = 8
const QUIET_OF_MANY_MS = 40
const LONGEST_OF_MANY_MS = 1_500

/** Waits until changes pause before it reports them. */
export class Debounce {
  readonly #onQuiet: () => void
  #timer: NodeJS.Timeout | undefined
  #turn: NodeJS.Immediate | undefined
  #firstAt: number | undefined

  constructor(onQuiet: () => void) {
    this.#onQuiet = onQuiet
  }

  /** Something changed; `paths` of them wait by now. Not before `atLeastMs` milliseconds from now. */
  disturb(paths: number, atLeastMs = 0): void {
    const now = performance.now()
    const isMany = paths > MANY
    const quietMs = Math.max(atLeastMs, isMany ? QUIET_OF_MANY_MS : QUIET_MS)
    const longestMs = isMany ? LONGEST_OF_MANY_MS : LONGEST_MS
    this.#firstAt ??= now
    this.close()
    const waitMs = Math.max(0, Math.min(quietMs, this.#firstAt + longestMs - now))
    this.#timer = setTimeout(() => {
      // Where the process stood still it was not quiet: what was to be heard meanwhile is heard before this.
      this.#turn = setImmediate(() => {
        this.#firstAt = undefined
        this.#onQuiet()
      })
    }, waitMs)
  }

  close(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#turn)
  }
}
