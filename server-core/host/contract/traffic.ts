import { oc } from '@orpc/contract'
import { z } from 'zod'
import type { Exchange, FrameView, HttpView, TrafficCounts } from '../../capture/exchange.ts'

export type { Exchange, FrameView, HttpView, TrafficCounts } from '../../capture/exchange.ts'

const directionSchema = z.enum(['sent', 'received'])
const spanSchema = z.object({ startedAt: z.number(), endedAt: z.number().optional() })

/** A row of the timeline; `Exchange` says what its members mean. */
export const exchangeSchema = z.object({
  id: z.string(),
  parentId: z.string().optional(),
  serverId: z.string(),
  serverName: z.string(),
  side: z.enum(['client', 'server']),
  kind: z.enum(['request', 'notification', 'stderr', 'invalid', 'http', 'lifecycle', 'fault']),
  direction: directionSchema,
  method: z.string(),
  label: z.string(),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  outcome: z.enum(['open', 'ok', 'error', 'tool-error', 'cancelled', 'lost', 'none']),
  errorCode: z.number().optional(),
  errorMessage: z.string().optional(),
  bytes: z.number(),
  frames: z.array(z.number()),
  count: z.number(),
  rounds: z.number().optional(),
  waits: z.array(spanSchema).optional(),
  progress: z.object({ value: z.number(), total: z.number().optional() }).optional(),
  instants: z.array(z.number()).optional(),
  dropped: z.number().optional(),
  probe: z.literal(true).optional(),
  faults: z.array(z.string()).optional(),
  earlierRun: z.literal(true).optional(),
}) satisfies z.ZodType<Exchange>

const httpSchema = z.object({
  exchange: z.number(),
  method: z.string(),
  url: z.string(),
  status: z.number().optional(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  event: z
    .object({ id: z.string().optional(), retry: z.number().optional(), name: z.string().optional() })
    .optional(),
}) satisfies z.ZodType<HttpView>

/** One frame, whole or in part; `FrameView` says what its members mean. */
export const frameSchema = z.object({
  seq: z.number(),
  at: z.number(),
  direction: directionSchema,
  kind: z.enum(['message', 'invalid', 'stderr', 'http', 'lifecycle', 'fault']),
  text: z.string(),
  lossy: z.boolean(),
  truncated: z.boolean(),
  redacted: z.literal(true).optional(),
  bytes: z.number(),
  reason: z.string().optional(),
  http: httpSchema.optional(),
}) satisfies z.ZodType<FrameView>

export const trafficCountsSchema = z.object({
  frames: z.number(),
  bytes: z.number(),
  dropped: z.number(),
  droppedOf: z
    .array(
      z.object({
        serverId: z.string(),
        serverName: z.string(),
        side: z.enum(['client', 'server']),
        dropped: z.number(),
      }),
    )
    .optional(),
}) satisfies z.ZodType<TrafficCounts>

export const trafficContract = {
  /** The frames of an exchange with their bytes. A frame no longer kept is left out and counted in `dropped`. */
  frames: oc
    .input(z.object({ seqs: z.array(z.number()).max(1_000), whole: z.boolean().optional() }))
    .output(z.object({ frames: z.array(frameSchema), dropped: z.number() })),
  /** Forgets what is over; exchanges that are still open stay. */
  clear: oc.output(z.object({ cleared: z.literal(true) })),
}
