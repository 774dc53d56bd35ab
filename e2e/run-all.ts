/**
 * `npm test`: runs every runner, one after another (lint beside the unit tests), and ends with one line
 * `N passed, N failed`, and before it the names of what failed. With `--only NAME` (several by comma) it runs those
 * alone. Exits 1 if anything failed, 2 for a wrong name.
 */
import { parseArgs } from 'node:util'
import { sum, type Counts } from './runners/reports.ts'
import { killPrograms } from './runners/run-program.ts'
import { RUNNERS, type Runner } from './runners/runners.ts'
import { useOwnTemporaryFolder } from './runners/temporary-folder.ts'

const MOST_FAILURES = 40

function wanted(): readonly Runner[] {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  if (values.only === undefined) return RUNNERS
  return values.only.split(',').map((name) => {
    const runner = RUNNERS.find((one) => one.name === name)
    if (runner === undefined) {
      throw new Error(`there is no runner "${name}"; there are ${RUNNERS.map((one) => one.name).join(', ')}`)
    }
    return runner
  })
}

/** Runs one, and notes its summary; with `lines` its words are put there and not shown. */
async function runOne(runner: Runner, lines?: string[]): Promise<Counts> {
  if (lines === undefined) console.log(headOf(runner))
  const startedAt = Date.now()
  let counts: Counts
  try {
    counts = await runner.run(lines === undefined ? undefined : (line) => lines.push(line))
  } catch (error) {
    counts = {
      passed: 0,
      failed: 1,
      notes: [error instanceof Error ? error.message : String(error)],
      failures: [],
    }
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  const summary = [`${counts.passed} passed, ${counts.failed} failed, ${seconds} s`, ...counts.notes].join(
    '; ',
  )
  summaries.push(`${runner.name}: ${summary}`)
  failures.push(...counts.failures.map((line) => `${runner.name}: ${line}`))
  return counts
}

function headOf({ name, what }: Runner): string {
  return `\n── ${name}: ${what}`
}

/** So many that a report cut to its end still holds them all. */
function firstOf(lines: readonly string[]): readonly string[] {
  const left = lines.length - MOST_FAILURES
  return left <= 0 ? lines : [...lines.slice(0, MOST_FAILURES), `… and ${left} more`]
}

/** Runs one after another; one that shares the machine goes on beside the next. */
async function runAll(runners: readonly Runner[]): Promise<readonly Counts[]> {
  const all: Counts[] = []
  for (const [index, runner] of runners.entries()) {
    const next = runners[index + 1]
    if (runners[index - 1]?.sharesMachine === true) continue
    if (runner.sharesMachine !== true || next === undefined) {
      all.push(await runOne(runner))
      continue
    }
    const lines: string[] = []
    const beside = runOne(runner, lines)
    all.push(await runOne(next), await beside)
    console.log([headOf(runner), ...lines].join('\n'))
  }
  return all
}

function readRunners(): readonly Runner[] {
  try {
    return wanted()
  } catch (error) {
    console.error(`run-all: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(2)
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    killPrograms()
    process.exit(130)
  })
}

const runners = readRunners()
useOwnTemporaryFolder()
const summaries: string[] = []
const failures: string[] = []
const { passed, failed } = sum(await runAll(runners))
console.log(`\n── summary\n${summaries.join('\n')}\n`)
if (failures.length > 0) console.log(`── what failed\n${firstOf(failures).join('\n')}\n`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
