import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { listKindSchema, progressSchema } from './inspect.ts'
import { livePartSchemas } from './live-parts.ts'
import { registryActivitySchema, scriptLogSchema } from './registry.ts'
import { exchangeSchema } from './traffic.ts'

/**
 * What changed since the last batch. Each live part has its newest state; a batch comes at most once a
 * frame, and the next one only after this one was acknowledged.
 */
export const batchSchema = z.object({
  seq: z.number(),
  ...z.object(livePartSchemas).partial().shape,
  /** Servers whose lists may have changed, and which of them should be fetched again. */
  listsChanged: z.array(z.object({ serverId: z.string(), kinds: z.array(listKindSchema) })).optional(),
  /** Resources that changed. */
  resourcesUpdated: z.array(z.object({ serverId: z.string(), uri: z.string() })).optional(),
  /** New and grown rows, by id. At most 1,000. */
  exchanges: z.array(exchangeSchema).optional(),
  /** Rows that were dropped (or all of them after `clear`). */
  removed: z.array(z.string()).optional(),
  cleared: z.boolean().optional(),
  /** What clients did since the last batch; changes the registry state that came before. */
  registryActivity: registryActivitySchema.optional(),
  /** New lines of scripts. Of too many the newest: `log` has the others. */
  scriptLog: scriptLogSchema.optional(),
  progress: z.array(progressSchema).optional(),
  /** A second start asked the window to come forward. */
  activate: z.boolean().optional(),
})
export type Batch = z.infer<typeof batchSchema>

export const eventsContract = {
  /** The first batch is the whole present state; `stream` names this watch for `acknowledge`. */
  watch: oc.input(z.object({ stream: z.string().min(1).max(64) })).output(eventIterator(batchSchema)),
  acknowledge: oc
    .input(z.object({ stream: z.string(), seq: z.number() }))
    .output(z.object({ acknowledged: z.boolean() })),
}
