import type { JsonObject } from '../protocol/json.ts'
import type { Emission, Invocation, InvocationFacts, Question, SharedStore } from './invocation.ts'
import { MemoryStore } from './memory-store.ts'

type Change = Parameters<Invocation['changed']>[0]
type Answers = Readonly<Record<string, JsonObject>>

/**
 * An invocation for tests: keeps what a handler sends, and answers questions as the script says. It does what a
 * server would do, without a connection.
 */
export class ScriptedInvocation implements Invocation {
  readonly facts: InvocationFacts
  readonly store: SharedStore
  readonly controller = new AbortController()
  readonly emissions: Emission[] = []
  readonly changes: Change[] = []
  /** The questions as they came, one list for each `ask`. */
  readonly asked: (readonly Question[])[] = []
  readonly #answer: (questions: readonly Question[], round: number) => Answers | Promise<Answers>

  constructor(
    script: {
      readonly facts?: Partial<InvocationFacts>
      readonly store?: SharedStore
      readonly answer?: (questions: readonly Question[], round: number) => Answers | Promise<Answers>
    } = {},
  ) {
    this.facts = {
      revision: '2026-07-28',
      headers: {},
      clientCapabilities: {},
      meta: {},
      answers: {},
      ...script.facts,
    }
    this.store = script.store ?? new MemoryStore()
    this.#answer = script.answer ?? (() => ({}))
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  emit(emission: Emission): void {
    this.emissions.push(emission)
  }

  async ask(questions: readonly Question[]): Promise<Answers> {
    this.asked.push(questions)
    return this.#answer(questions, this.asked.length)
  }

  changed(change: Change): void {
    this.changes.push(change)
  }
}
