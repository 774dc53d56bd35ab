import { readFile, writeFile } from 'node:fs/promises'
import { compare, raised, type Baseline } from './baseline.ts'
import { REVISIONS, runLeg, SIDES, type Leg } from './suite.ts'

/**
 * `conformance [--raise] [server|client] [REVISION]`: runs the official suite for both revisions against our server
 * and our client, prints one line each, and holds the result against the floor in `baseline.json`. Below the floor:
 * status 1 and the scenarios by name. Above it: says so, and `--raise` writes the new floor.
 */
const BASELINE = new URL('./baseline.json', import.meta.url)
const args = process.argv.slice(2)
const chosen = args.filter((arg) => arg !== '--raise')
const known: readonly string[] = [...REVISIONS, ...SIDES]
const unknown = chosen.find((arg) => !known.includes(arg))
const isChosen = (values: readonly string[], value: string): boolean =>
  !chosen.some((arg) => values.includes(arg)) || chosen.includes(value)

if (unknown !== undefined) {
  process.stderr.write(`${unknown} is no option; expected --raise, ${known.join(', ')}\n`)
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
  const outcome = await runLeg(leg)
  const lines = [`${name}: ${outcome.passing.length}/${outcome.scored.length} scenarios`]
  const compared = compare(baseline[name] ?? [], outcome.passing)
  held += compared.held.length
  lost += compared.lost.length
  for (const scenario of compared.lost) {
    lines.push(
      `  below the floor: ${scenario}: ${outcome.reasons.get(scenario) ?? 'not in the suite any more'}`,
    )
  }
  if (compared.gained.length > 0) {
    lines.push(
      `  above the floor, raise it (npm run -s conformance -- --raise): ${compared.gained.join(', ')}`,
    )
  }
  const open = [...outcome.reasons.keys()].filter((scenario) => !compared.lost.includes(scenario))
  if (open.length > 0) lines.push(`  not passing yet: ${open.join(', ')}`)
  process.stdout.write(`${lines.join('\n')}\n`)
  baseline = raised(baseline, name, outcome.passing)
}
