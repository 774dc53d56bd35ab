import { oc } from '@orpc/contract'
import { z } from 'zod'
import { DRIFT_TYPES } from '../../contract-lock/compare-locks.ts'
import { LOCK_KINDS } from '../../contract-lock/lock-schema.ts'

const serverId = z.string().min(1).max(300)

/** One difference between what was approved and what the server lists now. */
const driftSchema = z.object({
  type: z.enum(DRIFT_TYPES),
  kind: z.enum(LOCK_KINDS),
  name: z.string(),
  renamedTo: z.string().optional(),
  /** Callers that worked before may fail. */
  isBreaking: z.boolean(),
  /** The drift in one line. */
  text: z.string(),
  differences: z.array(
    z.object({ part: z.string(), pointer: z.string(), what: z.string(), isBreaking: z.boolean() }),
  ),
})
export type DefinitionDrift = z.infer<typeof driftSchema>

export const definitionsStateSchema = z.object({
  /** When the definitions were approved; the first ones that were seen are approved by that. */
  approvedAt: z.number(),
  drift: z.array(driftSchema),
  /** How much of a model's context each tool takes, the largest first. */
  sizes: z.array(z.object({ name: z.string(), bytes: z.number(), tokens: z.number() })),
  /** Lists that could not be read, and why; they are not compared. */
  unread: z.array(z.object({ kind: z.enum(LOCK_KINDS), reason: z.string() })),
})
export type DefinitionsState = z.infer<typeof definitionsStateSchema>

/** What a server lists against what was approved of it. */
export const definitionsContract = {
  /** Reads the lists of a connected server and compares them; approves them if none were approved before. */
  state: oc.input(z.object({ serverId })).output(definitionsStateSchema),
  /** Approves what the server lists now. */
  accept: oc.input(z.object({ serverId })).output(definitionsStateSchema),
}
