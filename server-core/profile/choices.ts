import type { Declared } from './approvals.ts'
import { SUPPORTED, type Revision } from '../protocol/revisions.ts'

/** What a user chose about speaking with a server: a revision to insist on, what is declared. Missing is automatic. */
export type Choices = { readonly protocol?: Revision; readonly declaration?: Declared }

/** The choices in a target or an entry; `auto` is the same as no choice. */
export function choicesOf(from: {
  readonly protocol?: string | undefined
  readonly declaration?: Declared | undefined
}): Choices {
  const protocol = SUPPORTED.find((revision) => revision === from.protocol)
  const { declaration } = from
  return {
    ...(protocol !== undefined && { protocol }),
    ...(declaration !== undefined && { declaration }),
  }
}
