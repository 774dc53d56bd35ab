import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type {
  FullConfig,
  FullResult,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter'
import { productVersion } from '../../host/version.ts'
import type { RunReport, TestReport } from './report-schema.ts'

/** Texts that a report shows whole. */
const LONGEST_TEXT = 100_000

export type FinishedRun = {
  readonly config: FullConfig
  readonly suite: Suite
  readonly result: FullResult
  readonly errors: readonly TestError[]
}

/** The report of a run that has ended. */
export function runReport({ config, suite, result, errors }: FinishedRun): RunReport {
  const root = config.configFile === undefined ? config.rootDir : path.dirname(config.configFile)
  const tests = suite.allTests().map((test) => testReport(test, root))
  const count = (outcome: TestReport['outcome']): number =>
    tests.filter((test) => test.outcome === outcome).length
  return {
    format: 'patchbay-test-report',
    version: 1,
    startedAt: result.startTime.toISOString(),
    durationMs: Math.round(result.duration),
    status: result.status,
    versions: { patchbay: productVersion, playwright: config.version, node: process.version },
    summary: {
      tests: tests.length,
      passed: count('passed'),
      failed: count('failed'),
      flaky: count('flaky'),
      skipped: count('skipped'),
    },
    errors: errors.map(errorText),
    tests,
  }
}

function testReport(test: TestCase, root: string): TestReport {
  const last = test.results.findLast(({ status }) => status !== 'passed' && status !== 'skipped')
  const [, project = '', , ...titles] = test.titlePath()
  const file = relative(root, test.location.file)
  const name = project === '' ? [] : ['--project', quoted(project)]
  return {
    id: test.id,
    title: test.title,
    groups: titles.slice(0, -1),
    project,
    file,
    line: test.location.line,
    column: test.location.column,
    outcome: outcomeOf(test),
    durationMs: Math.round(test.results.reduce((sum, { duration }) => sum + duration, 0)),
    attempts: test.results.length,
    tags: [...test.tags],
    annotations: test.annotations.map(({ type, description }) => ({
      type,
      ...(description !== undefined && { description }),
    })),
    errors: (last?.errors ?? []).map((error) => ({
      message: errorText(error),
      ...(error.location !== undefined && {
        file: relative(root, error.location.file),
        line: error.location.line,
      }),
    })),
    attachments: (test.results.at(-1)?.attachments ?? []).map((attachment) =>
      attachmentReport(attachment, root),
    ),
    repeat: ['npx playwright test', ...name, `${file}:${test.location.line}`].join(' '),
  }
}

function outcomeOf(test: TestCase): TestReport['outcome'] {
  const outcome = test.outcome()
  switch (outcome) {
    case 'expected':
      return 'passed'
    case 'unexpected':
      return 'failed'
    default:
      return outcome
  }
}

function attachmentReport(
  { name, contentType, path: file, body }: TestResult['attachments'][number],
  root: string,
): TestReport['attachments'][number] {
  const isText = contentType.startsWith('text/') && body !== undefined && body.length <= LONGEST_TEXT
  return {
    name,
    contentType,
    ...(file !== undefined && { path: relative(root, file) }),
    ...(isText && { text: body.toString() }),
  }
}

function errorText({ message, value, snippet }: TestError): string {
  const text = message ?? value ?? 'an error without a message'
  return stripVTControlCharacters(snippet === undefined ? text : `${text}\n\n${snippet}`)
}

function relative(root: string, file: string): string {
  return path.relative(root, file).replaceAll(path.sep, '/')
}

function quoted(text: string): string {
  return /^[\w@.:/-]+$/.test(text) ? text : JSON.stringify(text)
}
