import type { Masking } from '../../capture/redaction.ts'
import type { Catalogue, Statement } from '../catalogue/catalogue.ts'
import type { RunReport } from '../run/run-options.ts'
import { examinationId, type Cell, type CheckResult } from '../verdict.ts'
import { alikeFindings } from './alike-findings.ts'
import { checkPageUrl } from './check-page-url.ts'
import { compareWithBaseline, isFailure, type Baseline } from './baseline.ts'
import { reportedFrame } from './reported-frame.ts'
import type { ConformanceReport, ReportedCheck } from './report-schema.ts'

/** What a report has beside the results of its run. */
export type ReportParts = {
  readonly catalogue: Catalogue
  readonly masking: Masking
  readonly startedAt: Date
  readonly subject: ConformanceReport['subject']
  readonly versions: ConformanceReport['versions']
  readonly command: string
  /** The command that repeats one check. */
  readonly repeat: (id: string, cell: Cell) => string
  readonly suite: { readonly name: string; readonly hasScore: boolean }
  readonly baseline?: { readonly file: string; readonly baseline: Baseline }
}

/** Makes the report of a run. */
export function conformanceReport(run: RunReport, parts: ReportParts): ConformanceReport {
  const { catalogue, baseline, startedAt, subject, versions, command, suite } = parts
  const all = run.results.map((result) => reportedCheck(result, parts))
  const today = startedAt.toISOString().slice(0, 10)
  const checks = baseline === undefined ? all : compareWithBaseline(all, baseline.baseline, today)
  const marked = (mark: ReportedCheck['baseline']) => checks.filter((check) => check.baseline === mark).length
  const failures = checks.filter((check) => isFailure(check) && check.baseline !== 'known')
  const reason = run.cells.length === 0 ? noCellsReason(run.unsupported, subject.side) : undefined
  const score = scoreOf(run)
  return {
    format: 'patchbay-conformance-report',
    version: 1,
    verdict: reason !== undefined ? 'inconclusive' : failures.length > 0 ? 'failed' : 'passed',
    ...(reason !== undefined && { reason }),
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(run.durationMs),
    seed: run.seed,
    subject,
    versions,
    command,
    suite: { name: suite.name, ...(suite.hasScore && score !== undefined && { score }) },
    ...(baseline !== undefined && {
      baseline: {
        file: baseline.file,
        new: marked('new'),
        known: marked('known'),
        fixed: marked('fixed'),
      },
    }),
    summary: { ...run.summary },
    cells: [...run.cells],
    unsupported: run.unsupported.map(({ cell, reason: why }) => ({ ...cell, reason: why })),
    clauses: clausesOf(catalogue, checks),
    checks: [...checks],
  }
}

/** One result as a report has it. */
export function reportedCheck(
  result: CheckResult,
  {
    catalogue,
    masking,
    repeat,
  }: Pick<ReportParts, 'catalogue' | 'masking'> & Partial<Pick<ReportParts, 'repeat'>>,
): ReportedCheck {
  const { id, title, cell, verdict, reason, durationMs, frames } = result
  const findings = alikeFindings(result.findings)
  const entry = catalogue.checks.get(id)
  const named = new Set(findings.flatMap((finding) => finding.frames))
  const shown = frames.filter(({ index }) => named.has(index)).slice(0, MOST_FRAMES)
  const ownId = entry === undefined ? id : examinationId(entry, cell.side)
  return {
    id: ownId,
    title,
    severity: entry?.severity ?? 'error',
    statements: [...(entry?.statements ?? [])],
    ...cell,
    verdict,
    ...(reason !== undefined && { reason: masking.text(reason) }),
    findings: findings.map((finding) => ({
      ...finding,
      expected: masking.text(finding.expected),
      actual: masking.text(finding.actual),
      frames: [...finding.frames],
    })),
    ...(shown.length > 0 && { frames: shown.map((frame) => reportedFrame(frame, masking)) }),
    page: checkPageUrl(id),
    ...(repeat !== undefined &&
      !['passed', 'notApplicable'].includes(verdict) && { repeat: repeat(id, cell) }),
    durationMs: Math.round(durationMs),
  }
}

/** Frames of one check in a report. */
const MOST_FRAMES = 12

/** The statements that findings of checks name, by id. */
export function clausesOf(
  { statements }: Catalogue,
  checks: readonly ReportedCheck[],
): ConformanceReport['clauses'] {
  const named = new Set(checks.flatMap(({ findings }) => findings.map(({ statement }) => statement)))
  return Object.fromEntries(
    [...named].toSorted().flatMap((id) => {
      const statement = statements.get(id)
      return statement === undefined ? [] : [[id, clauseOf(statement)]]
    }),
  )
}

/** A statement as a report has it. */
export function clauseOf({
  level,
  text,
  section,
  revisions,
}: Statement): ConformanceReport['clauses'][string] {
  return { level, text, section, url: clauseUrl(section, revisions.at(-1) ?? '') }
}

/** The page of the specification that a statement comes from. A section may name another page for older revisions. */
export function clauseUrl(section: string, revision: string): string {
  const [first = ''] = section.split(';')
  const [page = '', anchor] = first.trim().split('#')
  const path = page.replace(/(^|\/)index$/, '$1').replace(/\/$/, '')
  const url = new URL(`https://modelcontextprotocol.io/specification/${revision}/${path}`)
  if (anchor !== undefined) url.hash = anchor
  return url.href
}

/** Why there is nothing to examine. */
export function noCellsReason(unsupported: RunReport['unsupported'], side: 'server' | 'client'): string {
  const [first] = unsupported
  const why = first === undefined ? 'no revision and transport was left to try' : first.reason
  return `no revision that Patchbay knows could be agreed on with the ${side}: ${why}`
}

/** One decimal; undefined if nothing came to a verdict on the peer. */
function scoreOf({ summary }: RunReport): number | undefined {
  const judged = summary.passed + summary.warned + summary.failed + summary.flaky
  return judged === 0 ? undefined : Math.round((1000 * summary.passed) / judged) / 10
}
