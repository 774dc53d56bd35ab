import { WIRE_TRANSPORTS, type WireTransport } from '../../server-core/protocol/transport-kind.ts'
import { SUPPORTED, type Revision } from '../../server-core/protocol/revisions.ts'
import type { Catalogue } from '../../server-core/conformance/catalogue/catalogue.ts'
import type { Proof } from '../../server-core/conformance/catalogue/load-proof.ts'
import type { Check } from '../../server-core/conformance/check.ts'
import { FrameLog, FrameNumbers } from '../../server-core/conformance/frames/frame-log.ts'
import { discoverCell, possibleCells } from '../../server-core/conformance/probe/discover.ts'
import type { ServerFacts } from '../../server-core/conformance/probe/server-facts.ts'
import { runChecks } from '../../server-core/conformance/run/run-checks.ts'
import type { RunOptions, RunReport } from '../../server-core/conformance/run/run-options.ts'
import type { Cell, CheckResult } from '../../server-core/conformance/verdict.ts'
import { checkOf, type Fault, type Mutant } from './mutant.ts'
import type { Oddity } from './oddities/oddity.ts'
import { referenceDriver } from './reference/reference-client.ts'
import { startReferenceServer } from './reference/reference-server.ts'

/** Waits of a proof: the reference pair is on this machine, and silent mutants are many. */
const WAITS = { answerMs: 1_500, silenceMs: 150 }
/** Nothing is silent in the correct pair, so a busy machine must not look like it. */
const CORRECT_WAITS = { answerMs: 10_000, silenceMs: 150 }

export type ProofOptions = {
  readonly catalogue: Catalogue
  readonly checks: readonly Check[]
  readonly proof: Proof
  /** Runs only the mutant's own check, not the whole catalogue. */
  readonly ownOnly?: boolean
  /** Runs in every cell of the check, not in its newest revision alone. */
  readonly everyCell?: boolean
  readonly parallel?: number
  /** Runs in these cells alone. */
  readonly revisions?: readonly Revision[]
  readonly transports?: readonly WireTransport[]
}

/** What became of one mutant. */
export type MutantOutcome = {
  readonly mutant: Mutant
  readonly found: boolean
  /** Why it was not found. */
  readonly reason?: string
  /** Checks that reported something and are not in the mutant's row. */
  readonly falseAlarms: readonly CheckResult[]
  /** Results of the own check. */
  readonly own: readonly CheckResult[]
  readonly durationMs: number
}

/** Runs the checks against the reference peer of one side, with or without a fault. */
export async function runAgainst(
  side: 'server' | 'client',
  fault: Fault,
  options: Omit<RunOptions, 'subject'>,
  waits = Object.keys(fault).length === 0 ? CORRECT_WAITS : WAITS,
): Promise<RunReport> {
  const all = {
    waits,
    slow: true,
    ends: true,
    destructive: true,
    ...options,
  }
  if (side === 'client')
    return runChecks({ parallel: 4, ...all, subject: { side, driver: referenceDriver(fault) } }).report
  const reference = await startReferenceServer(fault)
  try {
    const support = { permission: { all: true }, mayFlood: true, floodCalls: 200, givesUpAfterMs: 4_000 }
    const facts = await referenceFacts()
    const knownFacts = (cell: Cell) => facts.get(cellName(cell))
    return await runChecks({ ...all, subject: { side, target: reference.target, support, knownFacts } })
      .report
  } finally {
    await reference.close()
  }
}

let known: Promise<ReadonlyMap<string, ServerFacts>> | undefined

/** What discovery says of the correct server: a fault of the handshake must not keep its check from running. */
function referenceFacts(): Promise<ReadonlyMap<string, ServerFacts>> {
  return (known ??= discoverReference())
}

async function discoverReference(): Promise<ReadonlyMap<string, ServerFacts>> {
  const { target, close } = await startReferenceServer()
  const numbers = new FrameNumbers()
  const options = { target, waits: WAITS, log: () => new FrameLog(numbers) }
  const found = await Promise.all(possibleCells(target, {}).map((cell) => discoverCell(options, cell)))
  await close()
  return new Map(found.flatMap((each) => (each.supported ? [[cellName(each.facts.cell), each.facts]] : [])))
}

/** Runs one mutant, and judges who reported it. */
export async function proveMutant(mutant: Mutant, options: ProofOptions): Promise<MutantOutcome> {
  const { catalogue, checks, proof, ownOnly = false, everyCell = false } = options
  const id = checkOf(mutant)
  const entry = catalogue.checks.get(id)
  if (entry === undefined) throw new RangeError(`the mutant ${mutant.id} belongs to no check`)
  const began = performance.now()
  const revisions = (mutant.revisions ?? entry.revisions).filter(
    (revision) => options.revisions?.includes(revision) ?? true,
  )
  const newest = revisions.at(-1)
  // A passive check reads what the others cause.
  const isPassive = (each: string) => catalogue.checks.get(each)?.passive === true
  const report = await runAgainst(mutant.side, mutant.fault, {
    catalogue,
    checks,
    revisions: everyCell || newest === undefined ? revisions : [newest],
    transports: (mutant.transports ?? entry.transports).filter(
      (transport) => options.transports?.includes(transport) ?? true,
    ),
    ...(ownOnly && { only: (each: string) => each === id || (entry.passive && !isPassive(each)) }),
    ...(options.parallel !== undefined && { parallel: options.parallel }),
  })
  const own = report.results.filter((result) => result.id === id)
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
  const judged = ownOnly ? own : report.results
  const falseAlarms = judged.filter(
    (result) => (result.findings.length > 0 || result.verdict === 'broken') && !isAllowed(result.id),
  )
  return {
    mutant,
    found: own.length > 0 && missed.length === 0,
    ...(own.length === 0 && { reason: noCell(report) }),
    ...(missed.length > 0 && { reason: missed.map(describe).join('; ') }),
    falseAlarms,
    own,
    durationMs: performance.now() - began,
  }
}

/** Runs the whole catalogue against a lawful oddity, and returns what was reported although nothing may be. */
export async function proveOddity(
  { side, change, revisions, transports, mayWarn = {} }: Oddity,
  options: Pick<ProofOptions, 'catalogue' | 'checks' | 'revisions' | 'transports'> & {
    readonly only?: (id: string) => boolean
  },
): Promise<{ readonly report: RunReport; readonly bad: readonly CheckResult[] }> {
  const report = await runAgainst(
    side,
    change,
    {
      catalogue: options.catalogue,
      checks: options.checks,
      revisions: (revisions ?? SUPPORTED).filter((each) => options.revisions?.includes(each) ?? true),
      transports: (transports ?? WIRE_TRANSPORTS).filter(
        (each) => options.transports?.includes(each) ?? true,
      ),
      ...(options.only !== undefined && { only: options.only }),
    },
    CORRECT_WAITS,
  )
  const bad = report.results.filter(({ id, verdict }) => {
    if (verdict === 'warned') return mayWarn[id] === undefined
    return verdict === 'failed' || verdict === 'broken'
  })
  return { report, bad }
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

function noCell({ unsupported }: RunReport): string {
  const [first] = unsupported
  return first === undefined ? 'its check did not run' : `${cellName(first.cell)}: ${first.reason}`
}
