import { oc } from '@orpc/contract'
import { z } from 'zod'
import { faultSettingsSchema, faultTransportSchema } from '../../faults/fault-settings.ts'

export {
  faultRuleSchema,
  type FaultKind,
  type FaultRule,
  type FaultSettings,
  type FaultTransport,
} from '../../faults/fault-settings.ts'
export { canBeMade, FAULT_TABLE } from '../../faults/fault-table.ts'

/** One fault that was made. */
const madeFaultSchema = z.object({
  at: z.number(),
  ruleId: z.string(),
  kind: z.string(),
  transport: faultTransportSchema,
  /** The tool whose call it happened to, if it happened to a call. */
  tool: z.string().optional(),
  /** What was done, in words. */
  note: z.string(),
})

/** Faults of the embedded server: what is set, and what was made of it. */
export const faultsStateSchema = z.object({
  settings: faultSettingsSchema,
  /** How many rules make faults just now. */
  active: z.number(),
  /** How often each rule made its fault, since the seed was set or faults were switched on. */
  counts: z.record(z.string(), z.number()),
  /** The newest, newest first. */
  recent: z.array(madeFaultSchema),
})
export type FaultsState = z.infer<typeof faultsStateSchema>

export const faultsContract = {
  state: oc.output(faultsStateSchema),
  /**
   * Puts new settings in place of the old ones; they hold at once, for clients that are connected too. What rules held
   * back that are off now goes out.
   */
  save: oc.input(z.object({ settings: faultSettingsSchema })).output(faultsStateSchema),
}
