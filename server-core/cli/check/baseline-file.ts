import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { baselineOf, parseBaseline, type Baseline } from '../../conformance/report/baseline.ts'
import { conformanceReportSchema, type ConformanceReport } from '../../conformance/report/report-schema.ts'
import { isFailure } from '../../conformance/report/baseline.ts'
import type { Cell } from '../../conformance/verdict.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { UsageError } from '../output/exit-code.ts'
import { writeNote } from '../output/output.ts'
import type { RunSettings } from './report-flags.ts'

/** A baseline and how its file is shown. */
export type NamedBaseline = { readonly file: string; readonly baseline: Baseline }

const EMPTY: Baseline = { format: 'patchbay-conformance-baseline', version: 1, failures: [] }

/** Reads the baseline of a run; a missing file is an empty one where it is to be written. Throws a `UsageError`. */
export async function readBaseline({
  baseline: file,
  updateBaseline,
}: Pick<RunSettings, 'baseline' | 'updateBaseline'>): Promise<NamedBaseline | undefined> {
  if (file === undefined) return undefined
  const name = path.relative('', file)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (updateBaseline) return { file: name, baseline: EMPTY }
    throw new UsageError(
      `the baseline ${name} cannot be read: ${messageOf(error)}. --update-baseline writes a first one`,
      { cause: error },
    )
  }
  try {
    return { file: name, baseline: parseBaseline(text, name) }
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error })
  }
}

/** Writes the failures of a run as the new baseline. */
export async function updateBaseline(
  report: ConformanceReport,
  { file, baseline }: NamedBaseline,
): Promise<void> {
  const next = baselineOf(report.checks, baseline)
  await mkdir(path.dirname(path.resolve(file)), { recursive: true })
  await writeFile(path.resolve(file), `${JSON.stringify(next, undefined, 2)}\n`)
  writeNote(`baseline: ${next.failures.length} expected failures in ${file}`)
}

/** What a report says has failed, as a filter of checks. Throws a `UsageError` if the file is not a report. */
export async function failuresOf(file: string): Promise<(id: string, cell: Cell) => boolean> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--again expects a JSON report: ${messageOf(error)}`, { cause: error })
  }
  const parsed = conformanceReportSchema.safeParse(value)
  if (!parsed.success)
    throw new UsageError(`--again expects a report that --report json=FILE wrote, got ${file}`)
  const failed = new Set(
    parsed.data.checks
      .filter(isFailure)
      .map(({ id, side, revision, transport }) => `${withoutSide(id)} ${side} ${revision} ${transport}`),
  )
  return (id, { side, revision, transport }) => failed.has(`${id} ${side} ${revision} ${transport}`)
}

/** A check of both sides has its side behind its id in reports. */
function withoutSide(id: string): string {
  return id.replace(/\/(server|client)$/, '')
}
