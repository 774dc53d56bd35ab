import path from 'node:path'
import { REPORT_FORMATS, type ReportFormat } from '../../conformance/report/formats.ts'
import { SUITES, type SuiteName } from '../../conformance/suites/suite.ts'
import { readCount } from '../connection/client-flags.ts'
import { UsageError } from '../output/exit-code.ts'

/** A report to write: its format, and a file or `-` for stdout. */
export type WantedReport = { readonly format: ReportFormat; readonly file: string }

/** What `check` and `exam` have in common. */
export type RunSettings = {
  readonly grep?: string
  readonly suite: SuiteName
  readonly reports: readonly WantedReport[]
  /** Reports and the table have failures alone. */
  readonly onlyFailed: boolean
  /** A report whose failures alone are examined again. */
  readonly again?: string
  readonly baseline?: string
  readonly updateBaseline: boolean
  readonly slow: boolean
  readonly ends: boolean
  readonly destructive: boolean
  readonly repeat?: number
  readonly seed?: number
  readonly parallel?: number
}

export const RUN_OPTIONS = {
  grep: { type: 'string' },
  suite: { type: 'string' },
  report: { type: 'string', multiple: true },
  'only-failed': { type: 'boolean' },
  again: { type: 'string' },
  baseline: { type: 'string' },
  'update-baseline': { type: 'boolean' },
  slow: { type: 'boolean' },
  ends: { type: 'boolean' },
  destructive: { type: 'boolean' },
  repeat: { type: 'string' },
  seed: { type: 'string' },
  parallel: { type: 'string' },
} as const

type RunFlags = {
  readonly [Name in keyof typeof RUN_OPTIONS]?:
    | ((typeof RUN_OPTIONS)[Name] extends { multiple: true }
        ? readonly string[]
        : (typeof RUN_OPTIONS)[Name]['type'] extends 'boolean'
          ? boolean
          : string)
    | undefined
}

/** Reads the flags of a run. Throws a `UsageError`. */
export function readRunSettings(values: RunFlags, json: boolean): RunSettings {
  const { grep, suite = 'ci', report = [], again, baseline, repeat, seed, parallel } = values
  const updateBaseline = values['update-baseline'] === true
  if (updateBaseline && baseline === undefined)
    throw new UsageError('--update-baseline goes with --baseline FILE, the file that it writes')
  const reports = report.flatMap((text) => text.split(',')).map(readReport)
  const toStdout = reports.filter(({ file }) => file === '-')
  if (toStdout.length + (json ? 1 : 0) > 1)
    throw new UsageError('stdout takes one report: name a file for the others, as in --report tap=FILE')
  return {
    suite: readSuite(suite),
    reports,
    onlyFailed: values['only-failed'] === true,
    updateBaseline,
    slow: values.slow === true,
    ends: values.ends === true,
    destructive: values.destructive === true,
    ...(grep !== undefined && { grep }),
    ...(again !== undefined && { again: path.resolve(again) }),
    ...(baseline !== undefined && { baseline: path.resolve(baseline) }),
    ...(repeat !== undefined && { repeat: readCount(repeat, '--repeat') }),
    ...(seed !== undefined && { seed: readCount(seed, '--seed') }),
    ...(parallel !== undefined && { parallel: readCount(parallel, '--parallel') }),
  }
}

function readSuite(text: string): SuiteName {
  const suite = SUITES.find((known) => known === text)
  if (suite !== undefined) return suite
  throw new UsageError(`--suite expects one of ${SUITES.join(', ')}, got "${text}"`)
}

/** Where a report goes if no file is named. */
const USUAL_FILES: Readonly<Record<ReportFormat, string>> = {
  html: 'patchbay-report.html',
  junit: 'patchbay-junit.xml',
  sarif: 'patchbay.sarif',
  json: 'patchbay-report.json',
  tap: '-',
  github: '-',
}

function readReport(text: string): WantedReport {
  const equals = text.indexOf('=')
  const name = equals === -1 ? text : text.slice(0, equals)
  const format = (Object.keys(REPORT_FORMATS) as ReportFormat[]).find((known) => known === name)
  if (format === undefined)
    throw new UsageError(
      `--report expects FORMAT or FORMAT=FILE with one of ${Object.keys(REPORT_FORMATS).join(', ')}, got "${text}"`,
    )
  const file = equals === -1 ? USUAL_FILES[format] : text.slice(equals + 1)
  if (file === '') throw new UsageError(`--report ${format}= expects a file`)
  return { format, file: file === '-' ? file : path.resolve(file) }
}
