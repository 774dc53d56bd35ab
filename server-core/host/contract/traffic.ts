import { oc } from '@orpc/contract'
import { z } from 'zod'

/** A row of the timeline: an exchange, or a thing of its own (a notification, stderr, noise, a life event). */
export const exchangeSchema = z.object({
  /** Stays the same while the row grows. */
  id: z.string(),
  /** The exchange it belongs to: progress of a call, a server's question inside it. */
  parentId: z.string().optional(),
  serverId: z.string(),
  serverName: z.string(),
  kind: z.enum(['request', 'notification', 'stderr', 'noise', 'http', 'life']),
  /** `sent`: from us to the server. */
  direction: z.enum(['sent', 'received']),
  method: z.string(),
  /** What it is about: the tool's name, the URI, the first words of a log line. Safe text, at most 200 characters. */
  label: z.string(),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  outcome: z.enum(['open', 'ok', 'error', 'tool-error', 'cancelled', 'lost', 'none']),
  errorCode: z.number().optional(),
  errorMessage: z.string().optional(),
  bytes: z.number(),
  /** Sequence numbers of its frames, in time. */
  frames: z.array(z.number()),
  /** How many notifications of one kind a row stands for. */
  count: z.number(),
})
export type Exchange = z.infer<typeof exchangeSchema>

/** One frame, whole or in part. */
export const frameSchema = z.object({
  seq: z.number(),
  at: z.number(),
  direction: z.enum(['sent', 'received']),
  kind: z.enum(['message', 'noise', 'stderr', 'http', 'life']),
  /** The bytes as UTF-8 text; `lossy` if they are not valid UTF-8. At most 256 KiB unless `whole` was asked for. */
  text: z.string(),
  lossy: z.boolean(),
  truncated: z.boolean(),
  bytes: z.number(),
  reason: z.string().optional(),
  http: z
    .object({
      exchange: z.number(),
      method: z.string(),
      url: z.string(),
      status: z.number().optional(),
      /** Secrets are replaced before they are kept. */
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      event: z
        .object({ id: z.string().optional(), retry: z.number().optional(), name: z.string().optional() })
        .optional(),
    })
    .optional(),
})
export type FrameView = z.infer<typeof frameSchema>

export const trafficCountsSchema = z.object({
  frames: z.number(),
  bytes: z.number(),
  /** Frames that are no longer kept because a bound was reached. */
  dropped: z.number(),
})
export type TrafficCounts = z.infer<typeof trafficCountsSchema>

export const trafficContract = {
  /** The frames of an exchange with their bytes. A frame no longer kept is left out and counted in `dropped`. */
  frames: oc
    .input(z.object({ seqs: z.array(z.number()).max(1_000), whole: z.boolean().optional() }))
    .output(z.object({ frames: z.array(frameSchema), dropped: z.number() })),
  clear: oc.output(z.object({ cleared: z.literal(true) })),
}
