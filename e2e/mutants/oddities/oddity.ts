import type { Side } from '../../../server-core/conformance/catalogue/catalogue.ts'
import type { WireTransport } from '../../../server-core/protocol/transport-kind.ts'
import type { Revision } from '../../../server-core/protocol/revisions.ts'
import type { Fault } from '../mutant.ts'

/** A correct peer that does something unusual which the specification permits: no check may report it. */
export type Oddity = {
  /** `o.` and a name. */
  readonly id: string
  /** Which of the lawful variants of the catalogue it belongs to, counted from 1. */
  readonly row: number
  readonly side: Side
  /** Where it differs from the reference; everywhere if not given. */
  readonly revisions?: readonly Revision[]
  readonly transports?: readonly WireTransport[]
  /** How it differs, made with the hooks of faults. Nothing where the reference itself does it. */
  readonly change: Fault
  /** Checks that may warn, with the reason. */
  readonly mayWarn?: Readonly<Record<string, string>>
}

export const LEGACY: readonly Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
export const SESSIONS: readonly Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25']
export const MODERN: readonly Revision[] = ['2026-07-28']
