import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { baselineJsonSchema, baselineOf, parseBaseline, type Baseline } from './baseline.ts'
import { clauseUrl } from './conformance-report.ts'
import { REPORT_FORMATS, type ReportFormat } from './formats.ts'
import { githubSummary } from './github.ts'
import {
  conformanceReportJsonSchema,
  conformanceReportSchema,
  type ConformanceReport,
} from './report-schema.ts'
import { exampleResults, reportOf, SECRET } from './report.test-support.ts'

let report: ConformanceReport

beforeAll(async () => {
  report = await reportOf(exampleResults())
})

const failure = { check: 'jsonrpc.unknown-method.server', revision: '2025-11-25', transport: 'stdio' }
const baselineWith = (...failures: Baseline['failures']): Baseline => ({
  format: 'patchbay-conformance-baseline',
  version: 1,
  failures,
})

it('matches its schema, counts verdicts and names clauses of the specification', () => {
  expect(conformanceReportSchema.parse(report)).toEqual(report)
  expect(report.verdict).toBe('failed')
  expect(report.summary).toEqual({
    passed: 2,
    failed: 1,
    warned: 1,
    inconclusive: 1,
    notApplicable: 1,
    broken: 0,
    flaky: 0,
  })
  // Two of the four that came to a verdict.
  expect(report.suite.score).toBe(50)
  expect(report.clauses['jsonrpc.method-not-found']?.url).toMatch(
    /^https:\/\/modelcontextprotocol\.io\/specification\//,
  )
  expect(report.checks[0]?.frames?.map(({ index }) => index)).toEqual([7, 8])
})

it.each(Object.keys(REPORT_FORMATS) as ReportFormat[])('%s links a failure to its page', (format) => {
  expect(REPORT_FORMATS[format](report)).toContain('/docs/checks/jsonrpc.unknown-method.server.md')
})

it('links failures to their pages in the summary of a job', () => {
  expect(githubSummary(report)).toMatch(/\[jsonrpc[^\]]*\]\(https:[^)]*\/docs\/checks\/jsonrpc\./)
})

it('shows what is found again and again once', async () => {
  const [failed] = exampleResults()
  if (failed === undefined) throw new Error('there are no example results')
  const [finding] = failed.findings
  if (finding === undefined) throw new Error('the example failure has no finding')
  const again = Array.from({ length: 70 }, (_, index) => ({ ...finding, frames: [100 + index] }))
  const other = { ...finding, actual: 'nothing', frames: [8] }
  const result = await reportOf([{ ...failed, findings: [...again, other] }])
  expect(result.checks[0]?.findings.map(({ times, frames }) => ({ times, frames }))).toEqual([
    { times: 70, frames: [100, 101, 102] },
    { times: undefined, frames: [8] },
  ])
  expect(REPORT_FORMATS.html(result)).toContain('(70 times)')
  expect(REPORT_FORMATS.junit(result)).toContain('(70 times)')
})

it('shows the last runs where it has them', () => {
  const entry = { startedAt: '2026-11-24T10:00:00.000Z', passed: 5, warned: 0 }
  const history = [
    { ...entry, number: 7, failed: 2 },
    { ...entry, number: 8, failed: 0 },
  ]
  const shown = REPORT_FORMATS.html({ ...report, history })
  expect(shown).toContain('last 2 runs')
  expect(shown).toContain('run 7, 2026-11-24 10:00: 2 failed, 0 warned')
  expect(REPORT_FORMATS.html(report)).not.toContain('<figure class="runs">')
})

it('finds the page of a clause', () => {
  expect(clauseUrl('basic/index#messages ; 2024-11-05: basic/index', '2025-11-25')).toBe(
    'https://modelcontextprotocol.io/specification/2025-11-25/basic#messages',
  )
})

it.each(Object.keys(REPORT_FORMATS) as ReportFormat[])('%s masks secrets', (format) => {
  const text = REPORT_FORMATS[format](report)
  expect(text).not.toContain(SECRET)
  expect(text).toContain('jsonrpc.unknown-method.server')
  expect(text).toContain('-32601')
})

it('counts failures, errors and skipped tests in JUnit', () => {
  const xml = REPORT_FORMATS.junit(report)
  expect(xml).toContain('<testsuites name="mcp-patchbay" tests="6" failures="1" errors="0" skipped="2"')
  expect(xml).toContain('<testsuite name="2025-06-18, stdio" tests="1"')
  expect(xml).toContain('&lt;b&gt;')
  expect(xml).not.toContain('<b>')
})

it('escapes what a server sent in HTML, and has neither a script of it nor an address to load', () => {
  const page = REPORT_FORMATS.html(report)
  expect(page).toContain('1 failure')
  expect(page).toContain('example &lt;server&gt;')
  expect(page).not.toContain('<b> ')
  expect(page).not.toMatch(/(src|href)="http(?!s:\/\/(modelcontextprotocol\.io|unpkg\.com)\/)/)
})

it('tells known failures from new and fixed ones', async () => {
  const known = await reportOf(exampleResults(), baselineWith({ ...failure, note: 'fixed in 2.0' }))
  expect(known.verdict).toBe('passed')
  expect(known.baseline).toMatchObject({ new: 0, known: 1, fixed: 0 })
  expect(REPORT_FORMATS.junit(known)).toContain('failures="0"')
  expect(REPORT_FORMATS.tap(known)).toContain('# TODO known failure')

  const fixed = await reportOf(exampleResults(), baselineWith({ ...failure, check: 'base.id.echo-types' }))
  expect(fixed.verdict).toBe('failed')
  expect(fixed.baseline).toMatchObject({ new: 1, known: 0, fixed: 1 })
})

it('expects a failure no longer than its day', async () => {
  const over = await reportOf(exampleResults(), baselineWith({ ...failure, until: '2026-11-23' }))
  expect(over.verdict).toBe('failed')
  const last = await reportOf(exampleResults(), baselineWith({ ...failure, until: '2026-11-24' }))
  expect(last.verdict).toBe('passed')
})

it('updates a baseline, keeping notes and entries that were not examined', () => {
  const before = baselineWith(
    { ...failure, note: 'kept' },
    { ...failure, check: 'base.id.echo-types' },
    { ...failure, check: 'not.examined' },
  )
  expect(baselineOf(report.checks, before).failures).toEqual([
    { ...failure, note: 'kept' },
    { ...failure, check: 'not.examined' },
  ])
})

it('says what is wrong with a baseline', () => {
  expect(() => parseBaseline('{', 'b.json')).toThrow(/^b\.json is not JSON/)
  expect(() => parseBaseline('{"format":"x"}', 'b.json')).toThrow(
    /^b\.json is not a baseline of Patchbay: format/,
  )
})

it('says why nothing could be examined', async () => {
  const none = await reportOf([], undefined, [])
  expect(none.verdict).toBe('inconclusive')
  expect(none.reason).toContain('-32601')
  expect(REPORT_FORMATS.junit(none)).toContain('errors="1"')
  expect(REPORT_FORMATS.tap(none)).toContain('Bail out! no revision')
  expect(githubSummary(none)).toContain('❌')
})

it.each([
  ['conformance-report', conformanceReportJsonSchema],
  ['conformance-baseline', baselineJsonSchema],
])('has its JSON Schema in docs/%s.schema.json', async (name, schema) => {
  const file = path.join(import.meta.dirname, `../../../docs/${name}.schema.json`)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(schema())
})
