import type { JsonObject } from '../../protocol/json.ts'
import type { QuestionKind } from '../timeline/questions.ts'

/** A question as the server asked it. */
export type Question = {
  readonly kind: QuestionKind
  /** The message of a form, the newest texts of a sampling request. */
  readonly text: string
  readonly params: JsonObject
}

/** Finds the answer to a question: the bare result. */
export type Answer = (question: Question) => JsonObject | Promise<JsonObject>

/** Questions that the test expects. It is used up by one question unless `times` or `always` says otherwise. */
export class ExpectedQuestion {
  readonly kind: QuestionKind
  readonly pattern: RegExp | string | undefined
  #answer: Answer | undefined
  #times = 1
  #count = 0

  constructor(kind: QuestionKind, pattern: RegExp | string | undefined, answer?: Answer) {
    this.kind = kind
    this.pattern = pattern
    this.#answer = answer
  }

  /** How often it was asked. */
  get count(): number {
    return this.#count
  }

  /** Whether it must still be asked before the test ends. */
  get isMissing(): boolean {
    return this.#count < this.#times && this.#times !== Infinity
  }

  /** Expects the question so many times. */
  times(count: number): this {
    this.#times = count
    return this
  }

  /** Answers the question as often as it comes, also never. */
  always(): this {
    this.#times = Infinity
    return this
  }

  /** Answers with a result of the specification, or a function that returns one. */
  answer(answer: JsonObject | Answer): this {
    this.#answer = typeof answer === 'function' ? answer : () => answer
    return this
  }

  /** Whether it takes this question. */
  matches({ kind, text }: Question): boolean {
    if (kind !== this.kind || this.#answer === undefined || this.#count >= this.#times) return false
    if (this.pattern === undefined) return true
    return typeof this.pattern === 'string' ? text.includes(this.pattern) : this.pattern.test(text)
  }

  /** Answers it. */
  take(question: Question): JsonObject | Promise<JsonObject> {
    this.#count += 1
    return this.#answer?.(question) ?? {}
  }

  toString(): string {
    const pattern = this.pattern === undefined ? '' : ` ${String(this.pattern)}`
    return `${this.kind}${pattern}`
  }
}

/** A form, or a visit to a URL, that the test expects. */
export class ExpectedElicitation extends ExpectedQuestion {
  /** Accepts it, with the content of the form. */
  accept(content?: JsonObject): this {
    return this.answer({ action: 'accept', ...(content !== undefined && { content }) })
  }

  /** Declines it: the user says no. */
  decline(): this {
    return this.answer({ action: 'decline' })
  }

  /** Cancels it: the user closes the form without a choice. */
  cancel(): this {
    return this.answer({ action: 'cancel' })
  }
}

/** A request for a model's answer that the test expects. */
export class ExpectedSampling extends ExpectedQuestion {
  /** Replies with a text, as the model `test` unless another is named. */
  reply(text: string, { model = 'test', stopReason = 'endTurn' } = {}): this {
    return this.answer({ role: 'assistant', model, stopReason, content: { type: 'text', text } })
  }
}
