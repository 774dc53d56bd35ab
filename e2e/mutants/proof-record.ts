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
  /**
   * `recorded`: the passive checks read recorded traffic in which the fault was made. `own`: its own check and the
   * passive ones ran against the peer. `whole`: the whole catalogue did.
   */
  run: z.enum(['recorded', 'own', 'whole']),
  found: z.boolean(),
  reason: z.string().optional(),
  falseAlarms: z.array(z.string()),
  durationMs: z.number(),
  cpuMs: z.number(),
})
const runSchema = z.object({
  side: sideSchema,
  findings: z.array(z.string()),
  cells: z.array(z.string()),
  durationMs: z.number(),
  cpuMs: z.number(),
})
const recordSchema = z.object({
  mutants: z.record(z.string(), outcomeSchema),
  /** Mutants proved by recorded traffic that were run against the peer as well. */
  samples: z.record(z.string(), outcomeSchema),
  oddities: z.record(z.string(), runSchema),
  /** By side and revision. */
  reference: z.record(
    z.string(),
    runSchema.extend({ summary: z.partialRecord(z.enum(VERDICTS), z.number()) }),
  ),
})

/** What runs of the proof came to, gathered over several runs. */
export type ProofRecord = z.output<typeof recordSchema>

/** One mutant in a record. */
export type RecordedOutcome = ProofRecord['mutants'][string]

export const EMPTY_RECORD: ProofRecord = { mutants: {}, samples: {}, oddities: {}, reference: {} }

/** Reads a record; an empty one if the file does not exist. */
export async function readRecord(file: string): Promise<ProofRecord> {
  if (!existsSync(file)) return EMPTY_RECORD
  return recordSchema.parse(JSON.parse(await readFile(file, 'utf8')))
}

/** Writes a record whole, or not at all. */
export async function writeRecord(file: string, record: ProofRecord): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const partial = `${file}.partial`
  await writeFile(partial, `${JSON.stringify(record, undefined, 1)}\n`)
  await rename(partial, file)
}
