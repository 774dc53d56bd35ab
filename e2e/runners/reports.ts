import { readFileSync } from 'node:fs'
import {
  checksWithoutSubject,
  lastWords,
  playwrightFailures,
  vitestFailures,
  type PlaywrightSuite,
  type VitestFile,
} from './failures.ts'

/** How many checks of a runner passed and failed, and what to say about them beside its own output. */
export type Counts = {
  readonly passed: number
  readonly failed: number
  readonly notes: readonly string[]
  /** What failed, a line each. */
  readonly failures: readonly string[]
}

/** How a program ended. */
export type Ending = {
  /** The exit code; undefined if it was killed. */
  readonly code: number | undefined
  /** What it wrote on stdout and stderr. */
  readonly output: string
}

type VitestReport = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly VitestFile[]
}

type PlaywrightReport = {
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
  readonly suites: readonly PlaywrightSuite[]
  readonly errors: readonly { readonly message?: string }[]
}

/**
 * Reads vitest's JSON report. A test that did not run counts as failed, and so does a run that ended badly
 * although every test passed (a file that does not load, an error outside of tests).
 */
export function countVitest(reportFile: string, ending: Ending): Counts {
  const report = readReport(reportFile) as VitestReport | undefined
  if (report === undefined) return noReport('vitest', ending)
  const notRun = report.numPendingTests + report.numTodoTests
  return count(
    report.numPassedTests,
    report.numFailedTests,
    notRun,
    vitestFailures(report.testResults),
    ending,
  )
}

/** Reads Playwright's JSON report, by the same rules; a flaky test failed. Conformance checks that do not apply are noted. */
export function countPlaywright(reportFile: string, ending: Ending): Counts {
  const report = readReport(reportFile) as PlaywrightReport | undefined
  if (report === undefined) return noReport('Playwright', ending)
  const { expected, unexpected, flaky, skipped } = report.stats
  const without = checksWithoutSubject(report.suites)
  const counted = count(
    expected,
    unexpected + flaky,
    skipped - without,
    playwrightFailures(report.suites, report.errors),
    ending,
  )
  if (without === 0) return counted
  return { ...counted, notes: [...counted.notes, `${without} conformance checks do not apply`] }
}

/** The last line of our own runners. */
export const SUMMARY_LINE = /^(\d+) passed, (\d+) failed$/m

/** Reads the line `N passed, N failed` of a runner that writes no report. `named` finds its failures in its output. */
export function countSummaryLine(ending: Ending, named = lastWords): Counts {
  const [, passed, failed] = SUMMARY_LINE.exec(ending.output) ?? []
  return passed === undefined || failed === undefined
    ? noReport('it', ending)
    : count(Number(passed), Number(failed), 0, named(ending.output.replace(SUMMARY_LINE, '')), ending)
}

/** Counts a program that passes or fails as a whole. */
export function countProgram(file: string, ending: Ending): Counts {
  return ending.code === 0
    ? { passed: 1, failed: 0, notes: [], failures: [] }
    : { passed: 0, failed: 1, notes: [`${file} failed`], failures: lastWords(ending.output) }
}

/** Adds up what several runners counted. */
export function sum(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((total, one) => total + one.passed, 0),
    failed: all.reduce((total, one) => total + one.failed, 0),
    notes: all.flatMap((one) => one.notes),
    failures: all.flatMap((one) => one.failures),
  }
}

function count(
  passed: number,
  failed: number,
  notRun: number,
  named: readonly string[],
  ending: Ending,
): Counts {
  const notes = notRun === 0 ? [] : [`${notRun} did not run and count as failed`]
  const allFailed = failed + notRun
  if (ending.code === 0 && allFailed === 0 && passed > 0) return { passed, failed: 0, notes, failures: [] }
  const failures = named.length > 0 ? named : lastWords(ending.output)
  if (passed + allFailed === 0) {
    return { passed, failed: 1, notes: [...notes, 'there was no test to run'], failures }
  }
  if (allFailed > 0) return { passed, failed: allFailed, notes, failures }
  const { code } = ending
  const how = `it ended with ${code === undefined ? 'a signal' : `code ${code}`} although no test failed`
  return { passed, failed: 1, notes: [...notes, how], failures }
}

function noReport(runner: string, { code, output }: Ending): Counts {
  const notes = [`${runner} wrote no report and ended with code ${String(code)}`]
  return { passed: 0, failed: 1, notes, failures: lastWords(output) }
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown
  } catch {
    // A runner that died wrote none, or half of one.
    return undefined
  }
}
