import { z } from 'zod'
import { embeddedStateSchema, noticeSchema } from './app.ts'
import { authorizationStateSchema } from './authorization.ts'
import { conformanceStateSchema } from './conformance.ts'
import { faultsStateSchema } from './faults.ts'
import { inboxEntrySchema } from './inbox.ts'
import { inspectionSchema } from './inspection.ts'
import { mocksStateSchema } from './mocks.ts'
import { registryStateSchema } from './registry.ts'
import { serverLatencySchema, serverStateSchema } from './servers.ts'
import { serverTasksSchema } from './tasks.ts'
import { tapsStateSchema } from './taps.ts'
import { trafficCountsSchema } from './traffic.ts'

/**
 * Every live part of the host's state, each sent whole when it changed. The batches, the changes that services publish,
 * what each page waits for and the page's store are derived from this table: a new part is a row here, its source in
 * `host.ts` and its initial value in the page.
 */
export const livePartSchemas = {
  /** All servers. */
  servers: z.array(serverStateSchema),
  counts: trafficCountsSchema,
  notices: z.array(noticeSchema),
  embedded: embeddedStateSchema,
  /** Of every server that was inspected. */
  inspections: z.array(inspectionSchema),
  /** Of every connected server that answered a call. */
  latencies: z.array(serverLatencySchema),
  /** Of every server that has tasks, or had. */
  tasks: z.array(serverTasksSchema),
  /** All questions that are stored, oldest first. */
  inbox: z.array(inboxEntrySchema),
  /** The authorization of every server that was asked for one. */
  authorizations: z.array(authorizationStateSchema),
  /** The registry; calls of its entries are in `registryActivity` of a batch. */
  registry: registryStateSchema,
  faults: faultsStateSchema,
  mocks: mocksStateSchema,
  /** Taps of other clients. */
  taps: tapsStateSchema,
  /** The run of conformance checks of this session. */
  conformance: conformanceStateSchema,
}
export type LivePart = keyof typeof livePartSchemas
export type LiveState = { [Part in LivePart]: z.infer<(typeof livePartSchemas)[Part]> }

/** The names of all live parts. */
export const LIVE_PARTS = Object.keys(livePartSchemas) as LivePart[]
