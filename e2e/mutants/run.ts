import path from 'node:path'
import { parseArgs } from 'node:util'
import { loadCatalogue } from '../../server-core/conformance/catalogue/load-catalogue.ts'
import { loadProof } from '../../server-core/conformance/catalogue/load-proof.ts'
import { loadChecks } from '../../server-core/conformance/checks/load-checks.ts'
import { isPossible } from '../../server-core/conformance/probe/discover.ts'
import type { CheckResult } from '../../server-core/conformance/verdict.ts'
import { SUPPORTED, type Revision } from '../../server-core/protocol/revisions.ts'
import { WIRE_TRANSPORTS } from '../../server-core/protocol/transport-kind.ts'
import { AREA_PROOFS } from './areas.ts'
import { cellName, describe, isReport, startClock, type MutantOutcome, type ProofOptions } from './judge.ts'
import { checkOf, type Mutant } from './mutant.ts'
import { ODDITIES } from './oddities/oddities.ts'
import type { Oddity } from './oddities/oddity.ts'
import { EMPTY_RECORD, readRecord, writeRecord, type RecordedOutcome } from './proof-record.ts'
import { writeProofPage } from './proof-page.ts'
import { proveMutant, proveOddity, runAgainst } from './prove.ts'
import { isProvedByTraffic, proveRecorded } from './prove-recorded.ts'
import { isReplayable } from './replay.ts'
import { liveSample } from './live-sample.ts'
import { Traffic, TrafficRecorder } from './traffic.ts'

/**
 * `npm run mutants [-- --only TEXT] [--own] [--every-cell] [--reference] [--samples] [--live] [--oddities] [--frames]
 * [--side SIDE] [--revision R] [--transport T] [--record FILE] [--seconds N] [--report]`: proves the checks. Runs the
 * reference pair and the lawful oddities, which must pass everything, then each mutant, which its own check must find
 * and no other may report. The traffic of the reference pair is kept, and faults of messages that passive checks find
 * are made in it; `--samples` runs some of these against the peers too, and
 * `--live` those that it misses. With `--record`, runs what the file does not
 * have yet, and stops after `--seconds`; `--report` writes docs/conformance-proof.md from it.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    own: { type: 'boolean' },
    'every-cell': { type: 'boolean' },
    reference: { type: 'boolean' },
    samples: { type: 'boolean' },
    live: { type: 'boolean' },
    oddities: { type: 'boolean' },
    frames: { type: 'boolean' },
    side: { type: 'string' },
    revision: { type: 'string' },
    transport: { type: 'string' },
    record: { type: 'string' },
    seconds: { type: 'string' },
    report: { type: 'boolean' },
  },
})
const began = performance.now()
const [catalogue, proof, checks] = await Promise.all([loadCatalogue(), loadProof(), loadChecks()])
const write = (line: string) => process.stdout.write(`${line}\n`)
const { only = '' } = values
const wantedRevisions = SUPPORTED.filter((revision) => (values.revision ?? revision) === revision)
const wantedTransports = WIRE_TRANSPORTS.filter((transport) => (values.transport ?? transport) === transport)
/** The cells of `--revision` and `--transport`. */
const narrowed = {
  ...(values.revision !== undefined && { revisions: wantedRevisions }),
  ...(values.transport !== undefined && { transports: wantedTransports }),
}
const proofOptions: ProofOptions = {
  ...narrowed,
  catalogue,
  checks,
  proof,
  ownOnly: values.own === true,
  everyCell: values['every-cell'] === true,
}
const isWanted = ({ side }: Pick<Mutant, 'side'>) => values.side === undefined || values.side === side
const isTimeLeft = () => performance.now() - began < Number(values.seconds ?? Infinity) * 1_000
const file = values.record
const record = file === undefined ? EMPTY_RECORD : await readRecord(file)
const save = async (): Promise<void> => {
  if (file !== undefined) await writeRecord(file, record)
}
const traffic = new Traffic(path.join(import.meta.dirname, '../../.build/conformance-traffic'))
const isOneKind = values.reference === true || values.oddities === true || values.samples === true
const state = { isProved: true }

/** The findings of a result, and what was seen. */
function writeFrames({ findings, frames, cell }: CheckResult): void {
  write(`  ${cellName(cell)}`)
  for (const finding of findings) write(`  ${JSON.stringify(finding)}`)
  for (const { index, from, kind, connection, http, bytes, reason = '' } of frames) {
    const head = http === undefined ? '' : `${http.method} ${http.status ?? ''} `
    write(
      `  ${index} ${from} ${connection.number} ${kind} ${head}${reason} ${Buffer.from(bytes).toString().slice(0, 300)}`,
    )
  }
}

async function runReference(side: 'server' | 'client', revision: Revision): Promise<void> {
  const key = `${side} ${revision}`
  if (record.reference[key] !== undefined || !isTimeLeft()) return
  const clock = startClock()
  const recorder = new TrafficRecorder()
  const options = { ...narrowed, revisions: [revision], grep: only, onFrame: recorder.onFrame }
  const report = await runAgainst(side, {}, { catalogue, checks, ...options })
  if (only === '') for (const cell of report.cells) await traffic.write(cell, recorder.framesOf(cell))
  const bad = report.results.filter(isReport)
  for (const result of bad) {
    write(`reference ${side}: ${describe(result)}`)
    if (values.frames === true) writeFrames(result)
  }
  for (const { cell, reason } of report.unsupported) write(`reference ${side}: ${cellName(cell)}: ${reason}`)
  const unclear = report.results.filter(({ verdict }) => verdict === 'inconclusive')
  if (values.frames === true) for (const result of unclear) write(`reference ${side}: ${describe(result)}`)
  const counts = Object.entries(report.summary).map(([verdict, count]) => `${count} ${verdict}`)
  const { summary, cells } = report
  const took = clock()
  write(`reference ${key}: ${counts.join(', ')} in ${took.durationMs} ms, ${took.cpuMs} ms of processor`)
  record.reference[key] = { side, summary, findings: bad.map(describe), cells: cells.map(cellName), ...took }
  await save()
  if (bad.length > 0) state.isProved = false
}

/** The newest revision of an oddity, on its transports in turn. */
function oneCellOf({ revisions = SUPPORTED, transports = WIRE_TRANSPORTS }: Oddity, at: number) {
  const own = revisions.filter((each) => wantedRevisions.includes(each)).slice(-1)
  const possible = transports
    .filter((each) => wantedTransports.includes(each))
    .filter((transport) => own.some((revision) => isPossible(transport, revision)))
  return { revisions: own, transports: possible.slice(at % possible.length).slice(0, 1) }
}

async function runOddities(): Promise<void> {
  let passed = 0
  const wanted = ODDITIES.filter(isWanted).filter(({ id }) => id.includes(only))
  for (const [at, oddity] of wanted.entries()) {
    const key = `${oddity.id}/${oddity.side}`
    const isReference = Object.keys(oddity.change).length === 0
    if (record.oddities[key]?.findings.length === 0 || isReference) {
      passed += 1
      continue
    }
    if (!isTimeLeft()) continue
    const clock = startClock()
    const cells = values['every-cell'] === true ? narrowed : oneCellOf(oddity, at)
    const { report, bad } = await proveOddity(oddity, { catalogue, checks, ...cells })
    record.oddities[key] = {
      side: oddity.side,
      cells: report.cells.map(cellName),
      findings: bad.map(describe),
      ...clock(),
    }
    await save()
    write(`${bad.length === 0 ? 'passed ' : 'FAILED '} ${key} ${Math.round(report.durationMs)} ms`)
    for (const result of bad) {
      write(`  ${describe(result)}`)
      if (values.frames === true) writeFrames(result)
    }
    if (bad.length === 0) passed += 1
    else state.isProved = false
  }
  write(`${passed} of ${wanted.length} lawful oddities passed`)
}

function writeOutcome(
  { mutant, found, reason = '', falseAlarms, own, durationMs }: MutantOutcome,
  run: RecordedOutcome['run'],
): void {
  write(`${found ? 'found ' : 'MISSED'} ${mutant.id} ${run} ${reason} ${durationMs} ms`)
  if (values.frames === true) own.forEach(writeFrames)
  for (const alarm of falseAlarms) {
    write(`  false alarm: ${describe(alarm)}`)
    if (values.frames === true) writeFrames(alarm)
  }
}

function recorded(
  { mutant, found, reason, falseAlarms, own, durationMs, cpuMs }: MutantOutcome,
  run: RecordedOutcome['run'],
): RecordedOutcome {
  return {
    side: mutant.side,
    check: checkOf(mutant),
    cells: own.map(({ cell }) => cellName(cell)),
    run,
    found,
    ...(reason !== undefined && { reason }),
    falseAlarms: falseAlarms.map(describe),
    durationMs,
    cpuMs,
  }
}

/** Runs a mutant as cheaply as it can be proved. */
async function runMutant(mutant: Mutant): Promise<void> {
  const replayed = (await isProvedByTraffic(mutant, traffic, proofOptions))
    ? await proveRecorded(mutant, traffic, proofOptions)
    : undefined
  // Traffic may lack what the fault changes, such as documents of authorization.
  const isEnough = replayed?.found === true || (replayed !== undefined && values.live !== true)
  const run = isEnough ? 'recorded' : proofOptions.ownOnly === true ? 'own' : 'whole'
  const outcome = isEnough ? replayed : await proveMutant(mutant, proofOptions)
  record.mutants[mutant.id] = recorded(outcome, run)
  await save()
  writeOutcome(outcome, run)
}

async function runMutants(mutants: readonly Mutant[]): Promise<void> {
  for (const mutant of mutants) {
    const known = record.mutants[mutant.id]
    if (known !== undefined && (known.run !== 'own' || proofOptions.ownOnly === true)) continue
    if (!isTimeLeft()) break
    await runMutant(mutant)
  }
  const outcomes = mutants.flatMap(({ id }) => record.mutants[id] ?? [])
  const missed = outcomes.filter(({ found }) => !found).length
  const alarms = outcomes.reduce((sum, { falseAlarms }) => sum + falseAlarms.length, 0)
  const proved = new Set(mutants.map(checkOf))
  const unproved = checks.filter(({ id }) => id.includes(only) && !proved.has(id))
  write(`${outcomes.length - missed} found, ${missed} missed, ${alarms} false alarms`)
  write(`checks without a mutant: ${unproved.map(({ id }) => id).join(', ') || 'none'}`)
  if (missed > 0 || alarms > 0) state.isProved = false
}

/** Runs a sample of the mutants that recorded traffic proved against the peers. */
async function runSamples(mutants: readonly Mutant[]): Promise<void> {
  const byTraffic = mutants.filter(({ id }) => record.mutants[id]?.run === 'recorded')
  for (const { mutant, transport } of liveSample(byTraffic, catalogue)) {
    if (record.samples[mutant.id] !== undefined) continue
    if (!isTimeLeft()) return
    const outcome = await proveMutant(mutant, { ...proofOptions, ownOnly: true, transports: [transport] })
    record.samples[mutant.id] = recorded(outcome, 'own')
    await save()
    writeOutcome(outcome, 'own')
    if (!outcome.found || outcome.falseAlarms.length > 0) state.isProved = false
  }
}

const allMutants = AREA_PROOFS.flatMap((area) => area.mutants)
/** The quickest first: passive checks read whole examinations unless recorded traffic will do. */
const cost = ({ id, fault }: Mutant): number => {
  const isPassive = catalogue.checks.get(checkOf({ id }))?.passive === true
  return isPassive ? (isReplayable(fault) ? 0 : 2) : 1
}
const mutants = allMutants
  .filter((mutant) => isWanted(mutant) && mutant.id.includes(only))
  .toSorted((a, b) => cost(a) - cost(b))
if (values.report === true) {
  await writeProofPage(record, { catalogue, checks, proof })
  process.exit(0)
}
if (values.reference === true || (only === '' && !isOneKind))
  for (const side of ['server', 'client'] as const)
    if (isWanted({ side })) for (const revision of wantedRevisions) await runReference(side, revision)
if (!isOneKind) await runMutants(mutants)
if (values.samples === true || (only === '' && !isOneKind)) await runSamples(mutants)
if (values.oddities === true || (only === '' && !isOneKind)) await runOddities()
process.exit(state.isProved ? 0 : 1)
