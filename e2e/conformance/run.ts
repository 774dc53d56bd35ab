import { readFile, writeFile } from 'node:fs/promises'
import { compare, raised, type Baseline } from './baseline.ts'
import { REVISIONS, SIDES, type Leg } from './scenarios.ts'
import { runLeg, type LegOutcome } from './suite.ts'

/**
 * `conformance [--raise] [--strict] [--floor] [server|client] [REVISION]`: runs the official suite for every revision it knows
 * against our server and our client, prints one line each, and holds the result against the floor in `baseline.json`.
 * Below the floor: status 1 and the scenarios by name. Above it: says so, and `--raise` writes the new floor. What the
 * suite does not score is counted apart and is part of the floor all the same. `--strict`: a warning is a failure.
 * `--floor`: scenarios of a client that are not on the floor, each of which takes its time to fail, are left out.
 */
const BASELINE = new URL('./baseline.json', import.meta.url)
const OPTIONS: readonly string[] = ['--raise', '--strict', '--floor']
const args = process.argv.slice(2)
const chosen = args.filter((arg) => !OPTIONS.includes(arg))
const known: readonly string[] = [...REVISIONS, ...SIDES]
const unknown = chosen.find((arg) => !known.includes(arg))
const isChosen = (values: readonly string[], value: string): boolean =>
  !chosen.some((arg) => values.includes(arg)) || chosen.includes(value)

if (unknown !== undefined) {
  process.stderr.write(`${unknown} is not an option; expected ${[...OPTIONS, ...known].join(', ')}\n`)
  process.exit(2)
}

let baseline = JSON.parse(await readFile(BASELINE, 'utf8')) as Baseline
let held = 0
let lost = 0
for (const side of SIDES) {
  for (const revision of REVISIONS) {
    if (isChosen(SIDES, side) && isChosen(REVISIONS, revision)) await report({ revision, side })
  }
}
if (args.includes('--raise')) await writeFile(BASELINE, `${JSON.stringify(baseline, null, 2)}\n`)
process.stdout.write(`${held} passed, ${lost} failed\n`)
process.exitCode = lost > 0 ? 1 : 0

async function report(leg: Leg): Promise<void> {
  const name = `${leg.revision} ${leg.side}`
  const only = args.includes('--floor') ? (baseline[name] ?? []) : undefined
  const outcome = await runLeg(leg, args.includes('--strict'), only)
  const { scored, unscored, warnings } = outcome
  const passing = [...scored.passing, ...unscored.passing]
  const reasons = new Map([...scored.reasons, ...unscored.reasons])
  const part = only === undefined || leg.side === 'server' ? '' : ', those on the floor alone'
  const lines = [`${name}${part}: ${summaryOf(outcome)}`]
  const compared = compare(baseline[name] ?? [], passing)
  held += compared.held.length
  lost += compared.lost.length
  for (const scenario of compared.lost) {
    lines.push(`  below the floor: ${scenario}: ${reasons.get(scenario) ?? 'not in the suite any more'}`)
  }
  for (const [scenario, sentences] of warnings) {
    for (const sentence of sentences) lines.push(`  warning: ${scenario}: ${sentence}`)
  }
  if (compared.gained.length > 0) {
    lines.push(
      `  above the floor, raise it (npm run -s conformance -- --raise): ${compared.gained.join(', ')}`,
    )
  }
  for (const [scenario, reason] of reasons) {
    if (!compared.lost.includes(scenario)) lines.push(`  not passing: ${scenario}: ${reason}`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
  baseline = raised(baseline, name, passing)
}

function summaryOf({ scored, unscored, warnings }: LegOutcome): string {
  const count = `${scored.passing.length}/${scored.names.length} scenarios`
  const apart =
    unscored.names.length === 0 ? '' : ` (not scored: ${unscored.passing.length}/${unscored.names.length})`
  const total = [...warnings.values()].flat().length
  return `${count}${apart}${total === 0 ? ', no warnings' : `, ${total} warnings`}`
}
