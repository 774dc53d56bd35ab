import { WIRE_TRANSPORTS } from '../../server-core/protocol/transport-kind.ts'
import { parseArgs } from 'node:util'
import { loadCatalogue } from '../../server-core/conformance/catalogue/load-catalogue.ts'
import { loadProof } from '../../server-core/conformance/catalogue/load-proof.ts'
import { loadChecks } from '../../server-core/conformance/checks/load-checks.ts'
import { SUPPORTED } from '../../server-core/protocol/revisions.ts'
import { AREA_PROOFS } from './areas.ts'
import { checkOf } from './mutant.ts'
import type { CheckResult } from '../../server-core/conformance/verdict.ts'
import { cellName, describe, proveMutant, runAgainst, type MutantOutcome } from './prove.ts'

/**
 * `npm run mutants [-- --only TEXT] [--own] [--every-cell] [--reference] [--frames] [--side SIDE] [--revision R]
 * [--transport T]`: proves the checks. Runs the reference pair,
 * which must pass everything, then each mutant, which its own check must find and no other may report.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    own: { type: 'boolean' },
    'every-cell': { type: 'boolean' },
    reference: { type: 'boolean' },
    frames: { type: 'boolean' },
    side: { type: 'string' },
    revision: { type: 'string' },
    transport: { type: 'string' },
  },
})
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
let isProved = true

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

if (only === '' || values.reference === true) {
  for (const side of ['server', 'client'] as const) {
    if (values.side !== undefined && values.side !== side) continue
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
    if (bad.length > 0) isProved = false
  }
}

if (values.reference !== true) {
  const mutants = AREA_PROOFS.flatMap((area) => area.mutants).filter(({ id }) => id.includes(only))
  const outcomes: MutantOutcome[] = []
  for (const mutant of mutants) {
    if (values.side !== undefined && values.side !== mutant.side) continue
    const outcome = await proveMutant(mutant, {
      ...narrowed,
      catalogue,
      checks,
      proof,
      ownOnly: values.own === true,
      everyCell: values['every-cell'] === true,
    })
    outcomes.push(outcome)
    const word = outcome.found ? 'found ' : 'MISSED'
    write(`${word} ${mutant.id} ${outcome.reason ?? ''} ${Math.round(outcome.durationMs)} ms`)
    if (values.frames === true) outcome.own.forEach(writeFrames)
    for (const alarm of outcome.falseAlarms) write(`  false alarm: ${describe(alarm)}`)
  }
  const missed = outcomes.filter(({ found }) => !found).length
  const alarms = outcomes.reduce((sum, { falseAlarms }) => sum + falseAlarms.length, 0)
  const proved = new Set(mutants.map(checkOf))
  const unproved = checks.filter(({ id }) => id.includes(only) && !proved.has(id))
  write(`${outcomes.length - missed} found, ${missed} missed, ${alarms} false alarms`)
  write(`checks without a mutant: ${unproved.map(({ id }) => id).join(', ') || 'none'}`)
  if (missed > 0 || alarms > 0) isProved = false
}
process.exit(isProved ? 0 : 1)
