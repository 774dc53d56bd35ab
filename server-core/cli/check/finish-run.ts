import { isFailure } from '../../conformance/report/baseline.ts'
import type { ConformanceReport } from '../../conformance/report/report-schema.ts'
import { ExitCode } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeStderr, writeText } from '../output/output.ts'
import { updateBaseline, type NamedBaseline } from './baseline-file.ts'
import type { RunSettings } from './report-flags.ts'
import { describeReport } from './show-report.ts'
import { writeReports } from './write-reports.ts'

/** Prints a report, writes its files and the baseline, and gives the exit code. */
export async function finishRun(
  report: ConformanceReport,
  settings: RunSettings & { readonly json: boolean },
  baseline: NamedBaseline | undefined,
): Promise<ExitCode> {
  const shown = settings.onlyFailed ? { ...report, checks: report.checks.filter(isFailure) } : report
  const toStdout = settings.reports.some(({ file }) => file === '-')
  if (isForPerson(settings.json) && !toStdout) await writeText(describeReport(report, settings.onlyFailed))
  else if (!toStdout) await writeJson(shown)
  await writeReports(shown, settings.reports)
  if (report.verdict === 'inconclusive') {
    writeStderr(`patchbay: ${report.reason ?? ''}`)
    return needsAuthorization(report) ? ExitCode.authorization : ExitCode.unreachable
  }
  if (settings.updateBaseline && baseline !== undefined) {
    await updateBaseline(report, baseline)
    return ExitCode.ok
  }
  return report.verdict === 'failed' ? ExitCode.regression : ExitCode.ok
}

/** Whether the server wants a token in every cell that it could have. */
function needsAuthorization({ unsupported }: ConformanceReport): boolean {
  return unsupported.some(({ reason }) => /\bHTTP 40[13]\b/.test(reason))
}
