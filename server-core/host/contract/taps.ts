import { oc } from '@orpc/contract'
import { z } from 'zod'
import { openRequestsSchema, swappedSchema } from '../../tap/control/control-messages.ts'
import { directionSchema, tapRulesSchema } from '../../tap/rules/rule-schema.ts'

export { tapRulesSchema, type TapRule, type TapRules } from '../../tap/rules/rule-schema.ts'

/** A message that a tap holds. */
const heldMessageSchema = z.object({
  id: z.int(),
  direction: directionSchema,
  kind: z.enum(['request', 'response', 'error', 'notification', 'invalid']),
  method: z.string().optional(),
  target: z.string().optional(),
  ruleId: z.string(),
  /** As text; bytes that are not UTF-8 are replaced in it. */
  text: z.string(),
  heldAt: z.number(),
  /** When it goes on by itself. */
  until: z.number(),
})
export type HeldTapMessage = z.infer<typeof heldMessageSchema>

/** A tap that runs, or has just ended. */
const tapStateSchema = z.object({
  /** Its rows of the timeline have it as their server. */
  id: z.string(),
  name: z.string(),
  client: z.string().optional(),
  command: z.string(),
  pid: z.int(),
  startedAt: z.number(),
  /** Its server can be replaced. */
  isSwappable: z.boolean(),
  swaps: z.int(),
  /** What the last swap put there. */
  server: swappedSchema.optional(),
  isRunning: z.boolean(),
  held: z.array(heldMessageSchema),
  rules: tapRulesSchema,
  hits: z.record(z.string(), z.int()),
  /** Frames that it could not show here; they are in its recording. */
  missed: z.int(),
})
export type TapState = z.infer<typeof tapStateSchema>

export const tapsStateSchema = z.object({ taps: z.array(tapStateSchema) })
export type TapsState = z.infer<typeof tapsStateSchema>

const clientEntrySchema = z.object({
  name: z.string(),
  state: z.enum(['wrapped', 'not-wrapped', 'address', 'changed', 'foreign', 'gone']),
  summary: z.string(),
  /** Of a changed entry: what differs from what was written, a line each. */
  changes: z.array(z.string()),
})
const clientEntriesSchema = z.object({
  client: z.string(),
  title: z.string(),
  file: z.string(),
  problem: z.string().optional(),
  entries: z.array(clientEntrySchema),
})
export type ClientEntries = z.infer<typeof clientEntriesSchema>

const entryInput = z.object({ client: z.string().max(100), name: z.string().max(1_000) })
const id = z.string().max(200)

/** Taps between other clients and their servers. */
export const tapsContract = {
  state: oc.output(tapsStateSchema),
  /** Puts other rules in place; they hold at once, and again when a tap of the same client and server starts. */
  saveRules: oc.input(z.object({ id, rules: tapRulesSchema })).output(tapsStateSchema),
  /** Decides about a held message. A text takes the place of its own, or answers the request. */
  settle: oc
    .input(
      z.object({
        id,
        message: z.int(),
        outcome: z.enum(['forward', 'drop', 'answer']),
        text: z.string().optional(),
      }),
    )
    .output(z.object({ settled: z.literal(true) })),
  /** Replaces the server while the client stays connected; without a command line, the same one starts again. */
  swap: oc
    .input(
      z.object({ id, commandLine: z.string().max(100_000).optional(), openRequests: openRequestsSchema }),
    )
    .output(swappedSchema),
  /** Lets all held messages of a tap go on unchanged. */
  release: oc.input(z.object({ id })).output(z.object({ released: z.literal(true) })),
  /** The servers in the files of other clients. */
  entries: oc.output(z.array(clientEntriesSchema)),
  wrap: oc.input(entryInput).output(z.array(clientEntriesSchema)),
  unwrap: oc.input(entryInput).output(z.array(clientEntriesSchema)),
}
