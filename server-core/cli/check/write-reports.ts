import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { githubSummary } from '../../conformance/report/github.ts'
import { REPORT_FORMATS } from '../../conformance/report/formats.ts'
import type { ConformanceReport } from '../../conformance/report/report-schema.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { StartError } from '../output/exit-code.ts'
import { writeNote, writeText } from '../output/output.ts'
import type { WantedReport } from './report-flags.ts'

/** Writes each report. Throws a `StartError` if a file cannot be written, after it has tried the others. */
export async function writeReports(
  report: ConformanceReport,
  wanted: readonly WantedReport[],
): Promise<void> {
  const failures: string[] = []
  for (const { format, file } of wanted) {
    const text = REPORT_FORMATS[format](report)
    if (file === '-') {
      if (text !== '') await writeText(text.trimEnd())
    } else {
      const failure = await written(file, text)
      if (failure === undefined) writeNote(`${format} report: ${file}`)
      else failures.push(failure)
    }
    if (format === 'github') await writeSummary(report, failures)
  }
  if (failures.length > 0) throw new StartError(failures.join('\n'))
}

/** The summary of a job, where GitHub runs this. */
async function writeSummary(report: ConformanceReport, failures: string[]): Promise<void> {
  const file = process.env['GITHUB_STEP_SUMMARY']
  if (file === undefined || file === '') return
  try {
    await appendFile(file, githubSummary(report))
  } catch (error) {
    failures.push(`the summary ${file} cannot be written: ${messageOf(error)}`)
  }
}

async function written(file: string, text: string): Promise<string | undefined> {
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
    return undefined
  } catch (error) {
    return `the report ${file} cannot be written: ${messageOf(error)}`
  }
}
