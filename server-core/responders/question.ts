import type { JsonObject } from '../protocol/json.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { QuestionKind } from './settings.ts'

/** What a server asks, and how it came. */
export type Question = {
  readonly kind: QuestionKind
  readonly method: string
  readonly params: JsonObject
  readonly revision: Revision
  /** The bytes of the message that asks, as the tap saw them. */
  readonly bytes: Uint8Array
  /** Its name among the questions of one answer (2026-07-28); missing where it is a request of its own. */
  readonly key?: string
  readonly server: { readonly id: string; readonly name: string }
}

/** The kind of a question, by its method and mode (client features: an elicitation without a mode is a form). */
export function kindOf(method: string, params: JsonObject): QuestionKind | undefined {
  switch (method) {
    case 'sampling/createMessage':
      return 'sampling'
    case 'elicitation/create':
      return params['mode'] === 'url' ? 'elicitation-url' : 'elicitation-form'
    case 'roots/list':
      return 'roots'
    default:
      return undefined
  }
}

/** Returns whether it is an elicitation, which can be declined and cancelled by a result. */
export function isElicitation(kind: QuestionKind): boolean {
  return kind === 'elicitation-form' || kind === 'elicitation-url'
}
