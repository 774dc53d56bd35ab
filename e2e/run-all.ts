/**
 * `npm test`: runs all runners in sequence (lint in parallel with the unit tests), lists the failures, and prints
 * `N passed, N failed` as the last line. `--only NAME[,NAME…]` runs only those runners. Exits with 1 if anything failed,
 * with 2 if there is no runner of that name.
 */
import { parseArgs } from 'node:util'
import { sum, type Counts } from './runners/reports.ts'
import { killPrograms } from './runners/run-program.ts'
import { RUNNERS, type Runner } from './runners/runners.ts'
import { useOwnTemporaryFolder } from './runners/temporary-folder.ts'

const MAX_FAILURES = 40

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

/** Runs a runner and records its summary. Its output goes to `lines` if given, else to the console. */
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

/** Limits the list, so that a report of which only the end is shown still contains all of it. */
function firstOf(lines: readonly string[]): readonly string[] {
  const left = lines.length - MAX_FAILURES
  return left <= 0 ? lines : [...lines.slice(0, MAX_FAILURES), `… and ${left} more`]
}

/** Runs the runners in sequence; a runner with `sharesMachine` runs in parallel with the next one. */
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
    const parallel = runOne(runner, lines)
    all.push(await runOne(next), await parallel)
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
if (failures.length > 0) console.log(`── failures\n${firstOf(failures).join('\n')}\n`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
