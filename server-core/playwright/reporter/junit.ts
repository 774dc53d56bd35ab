import { escaped } from '../../protocol/markup.ts'
import type { RunReport, TestReport } from './report-schema.ts'

/** The report as JUnit XML: a suite for each file of each project. */
export function junit(report: RunReport): string {
  const suites = Map.groupBy(report.tests, ({ project, file }) =>
    project === '' ? file : `[${project}] ${file}`,
  )
  const { tests, failed, skipped } = report.summary
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mcp-patchbay" tests="${tests}" failures="${failed}" skipped="${skipped}" errors="${report.errors.length}" time="${seconds(report.durationMs)}">`,
    ...[...suites].map(([name, all]) => suite(name, all, report.startedAt)),
    ...(report.errors.length === 0 ? [] : [errorSuite(report.errors)]),
    '</testsuites>\n',
  ].join('\n')
}

function suite(name: string, tests: readonly TestReport[], startedAt: string): string {
  const count = (outcome: TestReport['outcome']): number =>
    tests.filter((test) => test.outcome === outcome).length
  const time = seconds(tests.reduce((sum, { durationMs }) => sum + durationMs, 0))
  return [
    `<testsuite name="${escaped(name)}" tests="${tests.length}" failures="${count('failed')}" skipped="${count('skipped')}" errors="0" time="${time}" timestamp="${startedAt}">`,
    ...tests.map(testCase),
    '</testsuite>',
  ].join('\n')
}

function testCase(test: TestReport): string {
  const name = escaped([...test.groups, test.title].join(' › '))
  const head = `<testcase name="${name}" classname="${escaped(test.file)}" file="${escaped(test.file)}" line="${test.line}" time="${seconds(test.durationMs)}"`
  if (test.outcome === 'skipped') return `${head}><skipped/></testcase>`
  if (test.outcome !== 'failed') return `${head}/>`
  const message = escaped(firstLine(test))
  const text = escaped(test.errors.map((error) => error.message).join('\n\n'))
  return `${head}><failure message="${message}">${text}\n\nRepeat: ${escaped(test.repeat)}</failure></testcase>`
}

function errorSuite(errors: readonly string[]): string {
  const cases = errors.map(
    (error, index) =>
      `<testcase name="error ${index + 1}" classname="run"><error>${escaped(error)}</error></testcase>`,
  )
  return `<testsuite name="run" tests="${errors.length}" failures="0" skipped="0" errors="${errors.length}" time="0">\n${cases.join('\n')}\n</testsuite>`
}

function firstLine({ errors }: TestReport): string {
  return errors[0]?.message.split('\n')[0] ?? 'failed'
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
