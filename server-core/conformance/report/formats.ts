import { html } from './html.ts'
import { junit } from './junit.ts'
import type { ConformanceReport } from './report-schema.ts'
import { sarif } from './sarif.ts'
import { tap } from './tap.ts'
import { githubAnnotations } from './github.ts'

/** Format of a report → its text. */
export const REPORT_FORMATS = {
  html,
  junit,
  sarif: (report: ConformanceReport) => sarif(report),
  json: (report: ConformanceReport) => `${JSON.stringify(report, undefined, 2)}\n`,
  tap,
  github: githubAnnotations,
} as const

export type ReportFormat = keyof typeof REPORT_FORMATS
