import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { conformanceReportSchema, type ConformanceReport } from '../../conformance/report/report-schema.ts'
import { checkKey } from '../../conformance/report/merge-reports.ts'
import { VERDICTS } from '../../conformance/verdict.ts'
import { replaceFile } from '../../workspace/atomic-file.ts'

/** Runs of one server that are kept. */
const MOST_RUNS = 20
/** Characters of a stored report; a longer one is stored without its frames. */
const LONGEST = 16 * 1024 * 1024
/** Readable and writable for the owner alone. */
const PRIVATE = 0o600

const storedRunSchema = z.object({
  version: z.literal(1),
  number: z.int(),
  repeated: z.int().optional(),
  report: conformanceReportSchema,
})

const storedSummarySchema = z.object({
  version: z.literal(1),
  number: z.int(),
  repeated: z.int().optional(),
  startedAt: z.number(),
  durationMs: z.number(),
  verdict: z.enum(['passed', 'failed', 'inconclusive']),
  suite: z.string(),
  counts: z.record(z.string(), z.number()),
  peer: z.string(),
  /** Check and cell → verdict. */
  verdicts: z.record(z.string(), z.enum(VERDICTS)),
})
export type StoredSummary = z.infer<typeof storedSummarySchema>

/** One run that ended. `repeated`: how many of its checks were run; all of them if missing. */
export type FinishedRun = {
  readonly number: number
  readonly repeated?: number | undefined
  readonly report: ConformanceReport
}

/** The last runs of each server, on disk: a report and a short summary for each. */
export class RunStore {
  readonly #folder: string
  readonly #summaries = new Map<string, StoredSummary[]>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** What is known of the runs of a server, oldest first. Files that cannot be read are left out. */
  async summaries(key: string): Promise<readonly StoredSummary[]> {
    const known = this.#summaries.get(key)
    if (known !== undefined) return known
    const folder = this.#folderOf(key)
    const names = (await listed(folder)).filter((name) => name.endsWith('.summary.json'))
    const read = await Promise.all(
      names.map((name) => readJson(path.join(folder, name), storedSummarySchema)),
    )
    const summaries = read
      .filter((each) => each !== undefined)
      .toSorted((one, other) => one.number - other.number)
    this.#summaries.set(key, summaries)
    return summaries
  }

  /** A stored run; undefined if there is none of that number, or its file cannot be read. */
  async run(key: string, number: number): Promise<FinishedRun | undefined> {
    return readJson(path.join(this.#folderOf(key), `${number}.json`), storedRunSchema)
  }

  /** Stores a run and removes the oldest ones beyond the limit. */
  async save(key: string, run: FinishedRun): Promise<void> {
    const folder = this.#folderOf(key)
    const before = await this.summaries(key)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const summary = summaryOfRun(run)
    await replaceFile(path.join(folder, `${run.number}.json`), textOf(run), PRIVATE)
    await replaceFile(path.join(folder, `${run.number}.summary.json`), JSON.stringify(summary), PRIVATE)
    const all = [...before.filter(({ number }) => number !== run.number), summary]
    const kept = all.slice(-MOST_RUNS)
    this.#summaries.set(key, kept)
    for (const { number } of all.slice(0, all.length - kept.length)) {
      await rm(path.join(folder, `${number}.json`), { force: true })
      await rm(path.join(folder, `${number}.summary.json`), { force: true })
    }
  }

  /** Server ids may contain anything, so the folder has a hash for its name. */
  #folderOf(key: string): string {
    return path.join(this.#folder, 'runs', createHash('sha256').update(key).digest('hex').slice(0, 24))
  }
}

/** What a list of runs shows of one. */
export function summaryOfRun({ number, repeated, report }: FinishedRun): StoredSummary {
  const { startedAt, durationMs, verdict, suite, summary, subject, checks } = report
  return {
    version: 1,
    number,
    ...(repeated !== undefined && { repeated }),
    startedAt: Date.parse(startedAt),
    durationMs,
    verdict,
    suite: suite.name,
    counts: { ...summary },
    peer: [subject.name, subject.version].filter((part) => part !== undefined).join(' '),
    verdicts: Object.fromEntries(checks.map((check) => [checkKey(check), check.verdict])),
  }
}

function textOf({ number, repeated, report }: FinishedRun): string {
  const rest = { version: 1, number, ...(repeated !== undefined && { repeated }) }
  const text = JSON.stringify({ ...rest, report })
  if (text.length <= LONGEST) return text
  const checks = report.checks.map(({ frames: _, ...check }) => check)
  return JSON.stringify({ ...rest, report: { ...report, checks } })
}

async function listed(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch {
    // There was no run yet.
    return []
  }
}

async function readJson<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    // Missing, damaged or of another version: a run is repeated, not repaired.
    return undefined
  }
}
