import type { Catalogue } from '../../conformance/catalogue/catalogue.ts'
import type { RunReport } from '../../conformance/run/run-options.ts'
import { examinationId } from '../../conformance/verdict.ts'

/** The document that `check --json` prints: each check once for each revision and transport. */
export function checkDocument(report: RunReport, catalogue: Catalogue): object {
  return {
    summary: report.summary,
    seed: report.seed,
    durationMs: Math.round(report.durationMs),
    cells: report.cells,
    unsupported: report.unsupported.map(({ cell, reason }) => ({ ...cell, reason })),
    checks: report.results.map(({ id, title, cell, verdict, reason, findings, durationMs }) => {
      const entry = catalogue.checks.get(id)
      return {
        id: entry === undefined ? id : examinationId(entry, cell.side),
        title,
        severity: entry?.severity,
        statements: entry?.statements,
        ...cell,
        verdict,
        ...(reason !== undefined && { reason }),
        findings,
        durationMs: Math.round(durationMs),
      }
    }),
  }
}
