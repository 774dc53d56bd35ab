import { parseArgs } from 'node:util'
import { loadCatalogue } from '../../server-core/conformance/catalogue/load-catalogue.ts'
import { loadProof } from '../../server-core/conformance/catalogue/load-proof.ts'
import { loadChecks } from '../../server-core/conformance/checks/load-checks.ts'
import type { CheckResult } from '../../server-core/conformance/verdict.ts'
import { SUPPORTED } from '../../server-core/protocol/revisions.ts'
import { WIRE_TRANSPORTS } from '../../server-core/protocol/transport-kind.ts'
import { AREA_PROOFS } from './areas.ts'
import { checkOf, type Mutant } from './mutant.ts'
import { ODDITIES } from './oddities/oddities.ts'
import { readRecord, writeRecord, type ProofRecord } from './proof-record.ts'
import { writeProofPage } from './proof-page.ts'
import { cellName, describe, proveMutant, proveOddity, runAgainst } from './prove.ts'

/**
 * `npm run mutants [-- --only TEXT] [--own] [--every-cell] [--reference] [--oddities] [--frames] [--side SIDE]
 * [--revision R] [--transport T] [--record FILE] [--seconds N] [--report]`: proves the checks. Runs the reference pair
 * and the lawful oddities, which must pass everything, then each mutant, which its own check must find and no other may
 * report. With `--record`, runs what the file does not have yet, and stops after `--seconds`; `--report` writes
 * docs/conformance-proof.md from it.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    own: { type: 'boolean' },
    'every-cell': { type: 'boolean' },
    reference: { type: 'boolean' },
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
/** The cells of `--revision` and `--transport`. */
const narrowed = {
  ...(values.revision !== undefined && {
    revisions: SUPPORTED.filter((revision) => revision === values.revision),
  }),
  ...(values.transport !== undefined && {
    transports: WIRE_TRANSPORTS.filter((transport) => transport === values.transport),
  }),
}
const isWanted = ({ side }: Pick<Mutant, 'side'>) => values.side === undefined || values.side === side
const isTimeLeft = () => performance.now() - began < Number(values.seconds ?? Infinity) * 1_000
const file = values.record
const record: ProofRecord =
  file === undefined ? { mutants: {}, oddities: {}, reference: {} } : await readRecord(file)
const save = async (): Promise<void> => {
  if (file !== undefined) await writeRecord(file, record)
}
const isOneKind = values.reference === true || values.oddities === true
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

async function runReference(side: 'server' | 'client'): Promise<void> {
  if (record.reference[side] !== undefined) return
  const report = await runAgainst(side, {}, { catalogue, checks, ...narrowed, grep: only })
  const bad = report.results.filter(({ findings, verdict }) => findings.length > 0 || verdict === 'broken')
  for (const result of bad) {
    write(`reference ${side}: ${describe(result)}`)
    if (values.frames === true) writeFrames(result)
  }
  for (const { cell, reason } of report.unsupported)
    write(`reference ${side}: ${cell.revision} ${cell.transport}: ${reason}`)
  const unclear = report.results.filter(({ verdict }) => verdict === 'inconclusive')
  if (values.frames === true) for (const result of unclear) write(`reference ${side}: ${describe(result)}`)
  const counts = Object.entries(report.summary).map(([verdict, count]) => `${count} ${verdict}`)
  write(`reference ${side}: ${counts.join(', ')} in ${Math.round(report.durationMs)} ms`)
  record.reference[side] = {
    summary: report.summary,
    findings: bad.map(describe),
    cells: report.cells.map(cellName),
    durationMs: report.durationMs,
  }
  await save()
  if (bad.length > 0) state.isProved = false
}

async function runOddities(): Promise<void> {
  let passed = 0
  const wanted = ODDITIES.filter(isWanted).filter(({ id }) => id.includes(only))
  for (const oddity of wanted) {
    const key = `${oddity.id}/${oddity.side}`
    const isReference = Object.keys(oddity.change).length === 0
    if (record.oddities[key]?.findings.length === 0 || isReference) {
      passed += 1
      continue
    }
    if (!isTimeLeft()) continue
    const { report, bad } = await proveOddity(oddity, { catalogue, checks, ...narrowed })
    record.oddities[key] = {
      side: oddity.side,
      cells: report.cells.map(cellName),
      findings: bad.map(describe),
      durationMs: report.durationMs,
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

async function runMutants(): Promise<void> {
  const mutants = AREA_PROOFS.flatMap((area) => area.mutants).filter(({ id }) => id.includes(only))
  const isOwn = values.own === true
  for (const mutant of mutants) {
    const known = record.mutants[mutant.id]
    if (!isWanted(mutant) || (known !== undefined && (known.isWhole || isOwn))) continue
    if (!isTimeLeft()) break
    const outcome = await proveMutant(mutant, {
      ...narrowed,
      catalogue,
      checks,
      proof,
      ownOnly: isOwn,
      everyCell: values['every-cell'] === true,
    })
    const { found, reason, falseAlarms, own, durationMs } = outcome
    record.mutants[mutant.id] = {
      side: mutant.side,
      check: checkOf(mutant),
      cells: own.map(({ cell }) => cellName(cell)),
      isWhole: !isOwn,
      found,
      ...(reason !== undefined && { reason }),
      falseAlarms: falseAlarms.map(describe),
      durationMs,
    }
    await save()
    write(`${found ? 'found ' : 'MISSED'} ${mutant.id} ${reason ?? ''} ${Math.round(durationMs)} ms`)
    if (values.frames === true) own.forEach(writeFrames)
    for (const alarm of falseAlarms) write(`  false alarm: ${describe(alarm)}`)
  }
  const outcomes = mutants.filter(isWanted).flatMap(({ id }) => record.mutants[id] ?? [])
  const missed = outcomes.filter(({ found }) => !found).length
  const alarms = outcomes.reduce((sum, { falseAlarms }) => sum + falseAlarms.length, 0)
  const proved = new Set(mutants.map(checkOf))
  const unproved = checks.filter(({ id }) => id.includes(only) && !proved.has(id))
  write(`${outcomes.length - missed} found, ${missed} missed, ${alarms} false alarms`)
  write(`checks without a mutant: ${unproved.map(({ id }) => id).join(', ') || 'none'}`)
  if (missed > 0 || alarms > 0) state.isProved = false
}

if (values.report === true) {
  await writeProofPage(record, { catalogue, checks, proof })
  process.exit(0)
}
if (values.oddities !== true && (only === '' || values.reference === true))
  for (const side of ['server', 'client'] as const) if (isWanted({ side })) await runReference(side)
if (values.oddities === true || (only === '' && !isOneKind)) await runOddities()
if (!isOneKind) await runMutants()
process.exit(state.isProved ? 0 : 1)
