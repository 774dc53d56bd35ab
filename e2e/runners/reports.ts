import { readFileSync } from 'node:fs'

/** How many checks of a runner passed and failed, and what to say about them beside its own output. */
export type Counts = { readonly passed: number; readonly failed: number; readonly notes: readonly string[] }

type VitestReport = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
}

type PlaywrightReport = {
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
}

/**
 * Reads vitest's JSON report. A test that did not run counts as failed, and so does a run that ended badly
 * although every test passed (a file that does not load, an error outside of tests).
 */
export function countVitest(reportFile: string, code: number | undefined): Counts {
  const report = readReport(reportFile) as VitestReport | undefined
  if (report === undefined) return noReport('vitest', code)
  const notRun = report.numPendingTests + report.numTodoTests
  return count(report.numPassedTests, report.numFailedTests, notRun, code)
}

/** Reads Playwright's JSON report, by the same rules; a flaky test failed. */
export function countPlaywright(reportFile: string, code: number | undefined): Counts {
  const report = readReport(reportFile) as PlaywrightReport | undefined
  if (report === undefined) return noReport('Playwright', code)
  const { expected, unexpected, flaky, skipped } = report.stats
  return count(expected, unexpected + flaky, skipped, code)
}

/** The line that a runner of ours ends with. */
export const SUMMARY_LINE = /^(\d+) passed, (\d+) failed$/m

/** Reads the line `N passed, N failed` of a runner that writes no report. */
export function countSummaryLine(stdout: string, code: number | undefined): Counts {
  const [, passed, failed] = SUMMARY_LINE.exec(stdout) ?? []
  return passed === undefined || failed === undefined
    ? noReport('it', code)
    : count(Number(passed), Number(failed), 0, code)
}

/** Adds up what several runners counted. */
export function sum(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((total, one) => total + one.passed, 0),
    failed: all.reduce((total, one) => total + one.failed, 0),
    notes: all.flatMap((one) => one.notes),
  }
}

function count(passed: number, failed: number, notRun: number, code: number | undefined): Counts {
  const notes = notRun === 0 ? [] : [`${notRun} did not run and count as failed`]
  const allFailed = failed + notRun
  if (passed + allFailed === 0) return { passed, failed: 1, notes: [...notes, 'there was no test to run'] }
  if (code === 0 || allFailed > 0) return { passed, failed: allFailed, notes }
  const ending = `it ended with ${code === undefined ? 'a signal' : `code ${code}`} although no test failed`
  return { passed, failed: 1, notes: [...notes, ending] }
}

function noReport(runner: string, code: number | undefined): Counts {
  return { passed: 0, failed: 1, notes: [`${runner} wrote no report and ended with code ${String(code)}`] }
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown
  } catch {
    // A runner that died wrote none, or half of one.
    return undefined
  }
}
