import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { VERDICTS } from '../../server-core/conformance/verdict.ts'

const sideSchema = z.enum(['server', 'client'])
const outcomeSchema = z.object({
  side: sideSchema,
  check: z.string(),
  /** Revision and transport of each cell in which the own check ran. */
  cells: z.array(z.string()),
  /** The whole catalogue ran, so that false alarms would have been seen. */
  isWhole: z.boolean(),
  found: z.boolean(),
  reason: z.string().optional(),
  falseAlarms: z.array(z.string()),
  durationMs: z.number(),
})
const referenceSchema = z.object({
  summary: z.partialRecord(z.enum(VERDICTS), z.number()),
  findings: z.array(z.string()),
  cells: z.array(z.string()),
  durationMs: z.number(),
})
const oddityResultSchema = z.object({
  side: sideSchema,
  cells: z.array(z.string()),
  findings: z.array(z.string()),
  durationMs: z.number(),
})
const recordSchema = z.object({
  mutants: z.record(z.string(), outcomeSchema),
  oddities: z.record(z.string(), oddityResultSchema),
  reference: z.partialRecord(sideSchema, referenceSchema),
})

/** What runs of the proof came to, gathered over several runs. */
export type ProofRecord = z.output<typeof recordSchema>

/** Reads a record; an empty one if the file does not exist. */
export async function readRecord(file: string): Promise<ProofRecord> {
  if (!existsSync(file)) return { mutants: {}, oddities: {}, reference: {} }
  return recordSchema.parse(JSON.parse(await readFile(file, 'utf8')))
}

/** Writes a record whole, or not at all. */
export async function writeRecord(file: string, record: ProofRecord): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const partial = `${file}.partial`
  await writeFile(partial, `${JSON.stringify(record, undefined, 1)}\n`)
  await rename(partial, file)
}
