import type { Amendment, ComposedRegistry } from '../sources/compose.ts'
import type { AnswerParts } from '../mocks/answer-call.ts'
import type { MockEntry } from '../mocks/mock-entry.ts'
import { MockRegistry } from '../mocks/mock-registry.ts'
import type { AnsweredViews } from './answered-views.ts'
import { DOCUMENT } from './live-document.ts'
import type { LiveFault } from './live-state.ts'

/** Names the source, and the code of its faults. */
const MOCKS = 'mocks'

export type MockSourceOptions = {
  readonly composed: ComposedRegistry
  readonly views: AnsweredViews
  readonly answers: AnswerParts
  readonly amend: (key: string) => Amendment | undefined
}

/** The mock entries of a workspace, in its registry while there are any. */
export class MockSource {
  readonly #parts: MockSourceOptions
  readonly #registry: MockRegistry

  constructor(parts: MockSourceOptions) {
    this.#parts = parts
    this.#registry = new MockRegistry(parts.answers)
  }

  /** Serves these entries in place of those before; returns what is wrong with them. */
  set(entries: readonly MockEntry[]): readonly LiveFault[] {
    const { composed, views, amend } = this.#parts
    const problems = this.#registry.set(entries)
    if (entries.length === 0) composed.remove(MOCKS)
    else if (!composed.has(MOCKS)) {
      const origin = { kind: 'mock', label: MOCKS, file: DOCUMENT } as const
      composed.add({ id: MOCKS, origin, view: views.of(this.#registry.view, undefined), amend })
    }
    return problems.map(({ key, message }) => ({ code: MOCKS, message: `${key}: ${message}` }))
  }
}
