import type { Amendment, ComposedRegistry } from '../composition/compose.ts'
import type { AnswerParts } from '../handmade/answer-call.ts'
import type { HandmadeEntry } from '../handmade/handmade-entry.ts'
import { HandmadeRegistry } from '../handmade/handmade-registry.ts'
import type { AnsweredViews } from './answered-views.ts'
import { DOCUMENT } from './live-document.ts'
import type { LiveFault } from './live-state.ts'

/** Names the source, and the code of its faults. */
const HANDMADE = 'hand-made'

export type HandmadeSourceParts = {
  readonly composed: ComposedRegistry
  readonly views: AnsweredViews
  readonly answers: AnswerParts
  readonly amend: (key: string) => Amendment | undefined
}

/** The entries of a workspace that are made by hand, in its registry while there are any. */
export class HandmadeSource {
  readonly #parts: HandmadeSourceParts
  readonly #registry: HandmadeRegistry

  constructor(parts: HandmadeSourceParts) {
    this.#parts = parts
    this.#registry = new HandmadeRegistry(parts.answers)
  }

  /** Serves these entries in place of those before; gives what is wrong with them. */
  set(entries: readonly HandmadeEntry[]): readonly LiveFault[] {
    const { composed, views, amend } = this.#parts
    const problems = this.#registry.set(entries)
    if (entries.length === 0) composed.remove(HANDMADE)
    else if (!composed.has(HANDMADE)) {
      const origin = { kind: 'handmade', label: HANDMADE, file: DOCUMENT } as const
      composed.add({ id: HANDMADE, origin, view: views.of(this.#registry.view, undefined), amend })
    }
    return problems.map(({ key, message }) => ({ code: HANDMADE, message: `${key}: ${message}` }))
  }
}
