import type { Catalogue, CheckEntry } from '../../server-core/conformance/catalogue/catalogue.ts'
import type { Proof } from '../../server-core/conformance/catalogue/load-proof.ts'
import type { Check } from '../../server-core/conformance/check.ts'
import type { Cell, CheckResult } from '../../server-core/conformance/verdict.ts'
import type { Revision } from '../../server-core/protocol/revisions.ts'
import type { WireTransport } from '../../server-core/protocol/transport-kind.ts'
import { checkOf, type Mutant } from './mutant.ts'

export type ProofOptions = {
  readonly catalogue: Catalogue
  readonly checks: readonly Check[]
  readonly proof: Proof
  /** Runs the mutant's own check and the passive ones, not the whole catalogue. */
  readonly ownOnly?: boolean
  /** Runs in every cell of the check, not in its newest revision alone. */
  readonly everyCell?: boolean
  readonly parallel?: number
  /** Runs in these cells alone. */
  readonly revisions?: readonly Revision[]
  readonly transports?: readonly WireTransport[]
}

/** What became of one mutant. */
export type Judgement = {
  readonly mutant: Mutant
  readonly found: boolean
  /** Why it was not found. */
  readonly reason?: string
  /** Checks that reported something and are not in the mutant's row. */
  readonly falseAlarms: readonly CheckResult[]
  /** Results of the own check. */
  readonly own: readonly CheckResult[]
}

/** The same with what it took. */
export type MutantOutcome = Judgement & { readonly durationMs: number; readonly cpuMs: number }

/** The check of a mutant, and the cells in which it is run. */
export type Reach = {
  readonly entry: CheckEntry
  readonly revisions: readonly Revision[]
  readonly transports: readonly WireTransport[]
}

/** Where a mutant is run. Throws a `RangeError` if the catalogue has no check of its name. */
export function reachOf(mutant: Mutant, options: ProofOptions): Reach {
  const entry = options.catalogue.checks.get(checkOf(mutant))
  if (entry === undefined) throw new RangeError(`the mutant ${mutant.id} belongs to no check`)
  const revisions = (mutant.revisions ?? entry.revisions).filter(
    (revision) => options.revisions?.includes(revision) ?? true,
  )
  const transports = (mutant.transports ?? entry.transports).filter(
    (transport) => options.transports?.includes(transport) ?? true,
  )
  return { entry, transports, revisions: options.everyCell === true ? revisions : revisions.slice(-1) }
}

/** Judges who reported a mutant. `absence` says why its check ran nowhere. */
export function judge(
  mutant: Mutant,
  results: readonly CheckResult[],
  proof: Proof,
  absence: string,
): Judgement {
  const id = checkOf(mutant)
  const own = results.filter((result) => result.id === id)
  const missed = own.filter(({ findings }) => findings.length === 0)
  const mayAlsoFire = new Set([
    ...(proof.mutants.find((row) => row.id === id)?.mayAlsoFire ?? []),
    ...Object.keys(mutant.alsoBreaks ?? {}),
  ])
  const isAllowed = (other: string) =>
    other === id ||
    mayAlsoFire.has(other) ||
    other.startsWith('schema.messages.') ||
    other.startsWith('base.wire.')
  const falseAlarms = results.filter((result) => isReport(result) && !isAllowed(result.id))
  return {
    mutant,
    found: own.length > 0 && missed.length === 0,
    ...(own.length === 0 && { reason: absence }),
    ...(missed.length > 0 && { reason: missed.map(describe).join('; ') }),
    falseAlarms,
    own,
  }
}

/** Whether a result speaks against a peer. Informations, of what is optional, do not. */
export function isReport({ verdict }: CheckResult): boolean {
  return verdict === 'failed' || verdict === 'warned' || verdict === 'broken' || verdict === 'flaky'
}

/** Returns a function that gives the time since now, and the processor time of this process. */
export function startClock(): () => { readonly durationMs: number; readonly cpuMs: number } {
  const began = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { durationMs: Math.round(performance.now() - began), cpuMs: Math.round((user + system) / 1_000) }
  }
}

/** A cell in a few characters. */
export function cellName({ revision, transport }: Cell): string {
  return `${revision} ${transport}`
}

/** A result in one line. */
export function describe({ id, cell, verdict, reason, findings }: CheckResult): string {
  const [finding] = findings
  const what = finding === undefined ? (reason ?? '') : `expected ${finding.expected}, got ${finding.actual}`
  return `${id} (${cellName(cell)}) ${verdict}: ${what}`
}
