import type { Revision } from '../../protocol/revisions.ts'
import type { WireTransport } from '../../protocol/transport-kind.ts'

/** The side that a check examines. */
export type Side = 'server' | 'client'

/** How grave a finding is: `critical` is an error with a security consequence, then MUST, SHOULD and MAY. */
export type Severity = 'critical' | 'error' | 'warning' | 'info'

/** One normative statement of the specification, in our own words. */
export type Statement = {
  readonly id: string
  readonly level: 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY'
  readonly binds: 'server' | 'client' | 'both' | 'transport' | 'intermediary' | 'authorization-server'
  readonly transports: readonly WireTransport[]
  readonly revisions: readonly Revision[]
  /** Page and anchor of the specification. */
  readonly section: string
  readonly text: string
  /** `yes`, or what else it takes, or why it cannot be tested from outside. */
  readonly testable: string
  readonly source: string
  /** The scenario of the official suite that covers it; `-` if there is none. */
  readonly suite: string
}

/** What is known of a check before it runs. Its code has the id alone. */
export type CheckEntry = {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly sides: readonly Side[]
  /** It reads frames and sends nothing. */
  readonly passive: boolean
  readonly severity: Severity
  readonly transports: readonly WireTransport[]
  readonly revisions: readonly Revision[]
  /** It floods, changes state or may crash the peer, so it runs only on demand. */
  readonly destructive: boolean
  /** It belongs to the negative pack. */
  readonly negative: boolean
  /** What it takes beside a connection. */
  readonly needs: string | undefined
  /** The ids of the statements it proves or refutes. */
  readonly statements: readonly string[]
  readonly probe: string
  readonly pass: string
  readonly fail: string
  readonly inconclusive: string
}

/** The statements and checks, by id. */
export type Catalogue = {
  readonly statements: ReadonlyMap<string, Statement>
  readonly checks: ReadonlyMap<string, CheckEntry>
}
