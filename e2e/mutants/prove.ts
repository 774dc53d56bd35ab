import { WIRE_TRANSPORTS } from '../../server-core/protocol/transport-kind.ts'
import { SUPPORTED } from '../../server-core/protocol/revisions.ts'
import { FrameLog, FrameNumbers } from '../../server-core/conformance/frames/frame-log.ts'
import { discoverCell, possibleCells } from '../../server-core/conformance/probe/discover.ts'
import type { ServerFacts } from '../../server-core/conformance/probe/server-facts.ts'
import { runChecks } from '../../server-core/conformance/run/run-checks.ts'
import type { RunOptions, RunReport } from '../../server-core/conformance/run/run-options.ts'
import type { Cell, CheckResult } from '../../server-core/conformance/verdict.ts'
import { cellName, judge, reachOf, startClock, type MutantOutcome, type ProofOptions } from './judge.ts'
import type { Fault, Mutant } from './mutant.ts'
import type { Oddity } from './oddities/oddity.ts'
import { referenceDriver } from './reference/reference-client.ts'
import { startReferenceServer } from './reference/reference-server.ts'

/** Waits of a proof: the reference pair is on this machine, and silent mutants are many. */
const WAITS = { answerMs: 1_500, silenceMs: 150 }
/** Nothing is silent in the correct pair, so a busy machine must not look like it. */
const CORRECT_WAITS = { answerMs: 10_000, silenceMs: 150 }

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
  const { catalogue, checks, ownOnly = false } = options
  const clock = startClock()
  const { entry, revisions, transports } = reachOf(mutant, options)
  // A passive check reads what the others cause; the passive ones judge whatever an active one causes.
  const isPassive = (each: string) => catalogue.checks.get(each)?.passive === true
  const report = await runAgainst(mutant.side, mutant.fault, {
    catalogue,
    checks,
    revisions,
    transports,
    ...(ownOnly && { only: (each: string) => each === entry.id || entry.passive || isPassive(each) }),
    ...(options.parallel !== undefined && { parallel: options.parallel }),
  })
  const judged = ownOnly
    ? report.results.filter(({ id }) => id === entry.id || isPassive(id))
    : report.results
  return { ...judge(mutant, judged, options.proof, noCell(report)), ...clock() }
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

function noCell({ unsupported }: RunReport): string {
  const [first] = unsupported
  return first === undefined ? 'its check did not run' : `${cellName(first.cell)}: ${first.reason}`
}
