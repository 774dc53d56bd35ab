import type { MessageFacts } from './message-facts.ts'
import type { Direction, RuleAction } from './rule-schema.ts'

/** Messages of one tap that are held at the same time; a further one goes on. */
export const MOST_HELD = 100

/** What becomes of a held message. */
export type HeldOutcome =
  /** With other bytes if it was edited. */
  | { readonly type: 'forward'; readonly bytes?: Uint8Array; readonly reason: string }
  | { readonly type: 'drop'; readonly reason: string }
  /** Bytes go back to the sender. */
  | { readonly type: 'answer'; readonly bytes: Uint8Array; readonly reason: string }
  /** The request is answered with an error. */
  | { readonly type: 'error'; readonly reason: string }

/** A message that waits for a person. */
export type HeldMessage = {
  readonly id: number
  readonly direction: Direction
  readonly kind: MessageFacts['kind']
  readonly method?: string
  readonly target?: string
  readonly ruleId: string
  readonly bytes: Uint8Array
  /** Milliseconds since 1970. */
  readonly heldAt: number
  readonly until: number
}

type Waiting = {
  readonly message: HeldMessage
  readonly timer: NodeJS.Timeout
  settle(outcome: HeldOutcome): void
}

/** Messages that wait for a person in the app. Without one, nothing is held. */
export class HeldMessages {
  readonly #waiting = new Map<number, Waiting>()
  readonly #onChange: (messages: readonly HeldMessage[]) => void
  #isWatched = false
  #count = 0

  /** `onChange` gets all that are held, after each change. */
  constructor(onChange: (messages: readonly HeldMessage[]) => void) {
    this.#onChange = onChange
  }

  get messages(): readonly HeldMessage[] {
    return Array.from(this.#waiting.values(), ({ message }) => message)
  }

  /** Somebody can decide from now on; or nobody can any more, and all go on unchanged. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched
    if (!isWatched) this.releaseAll('the app was closed')
  }

  /** Holds a message until somebody decides or its time is over. */
  hold(
    facts: MessageFacts,
    { bytes, ruleId }: { readonly bytes: Uint8Array; readonly ruleId: string },
    { seconds, afterwards }: Extract<RuleAction, { readonly type: 'hold' }>,
  ): Promise<HeldOutcome> {
    if (!this.#isWatched) return Promise.resolve({ type: 'forward', reason: 'no app is there to decide' })
    if (this.#waiting.size >= MOST_HELD)
      return Promise.resolve({ type: 'forward', reason: `${MOST_HELD} messages are held already` })
    this.#count += 1
    const id = this.#count
    const { direction, kind, method, target } = facts
    const heldAt = Date.now()
    const message: HeldMessage = {
      id,
      direction,
      kind,
      ...(method !== undefined && { method }),
      ...(target !== undefined && { target }),
      ruleId,
      bytes,
      heldAt,
      until: heldAt + seconds * 1_000,
    }
    return new Promise((resolve) => {
      const reason = `nobody decided within ${seconds} s`
      const timer = setTimeout(() => this.settle(id, { type: afterwards, reason }), seconds * 1_000)
      this.#waiting.set(id, { message, timer, settle: resolve })
      this.#onChange(this.messages)
    })
  }

  /** Decides about one. Returns whether it was still held. */
  settle(id: number, outcome: HeldOutcome): boolean {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return false
    clearTimeout(waiting.timer)
    this.#waiting.delete(id)
    waiting.settle(outcome)
    this.#onChange(this.messages)
    return true
  }

  /** Lets all go on unchanged. */
  releaseAll(reason: string): void {
    for (const id of [...this.#waiting.keys()]) this.settle(id, { type: 'forward', reason })
  }
}
