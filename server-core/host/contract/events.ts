import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { embeddedStateSchema, noticeSchema } from './app.ts'
import { authorizationStateSchema } from './authorization.ts'
import { faultsStateSchema } from './faults.ts'
import { mocksStateSchema } from './mocks.ts'
import { registryActivitySchema, registryStateSchema, scriptLogLineSchema } from './registry.ts'
import { inboxEntrySchema } from './inbox.ts'
import { listKindSchema, progressSchema } from './inspect.ts'
import { inspectionSchema } from './inspection.ts'
import { serverLatencySchema, serverStateSchema } from './servers.ts'
import { serverTasksSchema } from './tasks.ts'
import { exchangeSchema, trafficCountsSchema } from './traffic.ts'

/**
 * What changed since the last batch. Each member is the newest state of its thing; a batch comes at most once a
 * frame, and the next one only after this one was acknowledged.
 */
export const batchSchema = z.object({
  seq: z.number(),
  /** All servers, if any changed. */
  servers: z.array(serverStateSchema).optional(),
  /** Servers whose lists may have changed, and which of them should be fetched again. */
  listsChanged: z.array(z.object({ serverId: z.string(), kinds: z.array(listKindSchema) })).optional(),
  /** Resources that changed. */
  resourcesUpdated: z.array(z.object({ serverId: z.string(), uri: z.string() })).optional(),
  /** New and grown rows, by id. At most 1,000. */
  exchanges: z.array(exchangeSchema).optional(),
  /** Rows that are no longer kept (or all of them after `clear`). */
  removed: z.array(z.string()).optional(),
  cleared: z.boolean().optional(),
  counts: trafficCountsSchema.optional(),
  /** The authorization of every server that was asked for one, if any changed. */
  authorizations: z.array(authorizationStateSchema).optional(),
  /** Of every server that was looked into, if any of them changed. */
  inspections: z.array(inspectionSchema).optional(),
  /** Of every connected server that answered a call, if any of them changed. */
  latencies: z.array(serverLatencySchema).optional(),
  /** Of every server that has some, or had, if any of them changed. */
  tasks: z.array(serverTasksSchema).optional(),
  /** All questions that are kept, oldest first, if any of them changed. */
  inbox: z.array(inboxEntrySchema).optional(),
  /** All of it, if anything of it changed but what `registryActivity` has. */
  registry: registryStateSchema.optional(),
  /** What clients did since the last batch; changes the registry state that came before. */
  registryActivity: registryActivitySchema.optional(),
  /** New lines of scripts, oldest first. Of too many the newest: then `log` has what was left out. */
  scriptLog: z.array(scriptLogLineSchema).optional(),
  faults: faultsStateSchema.optional(),
  mocks: mocksStateSchema.optional(),
  progress: z.array(progressSchema).optional(),
  notices: z.array(noticeSchema).optional(),
  embedded: embeddedStateSchema.optional(),
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
