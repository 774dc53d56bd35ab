import { oc } from '@orpc/contract'
import { z } from 'zod'
import { frameSchema } from './traffic.ts'

/** What is sent: text as UTF-8, or any bytes. */
export const composedSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().max(16_000_000) }),
  z.object({ type: z.literal('bytes'), base64: z.string().max(16_000_000) }),
])
export type Composed = z.infer<typeof composedSchema>

/** How it is sent; each transport takes what it has. */
export const sendingSchema = z.object({
  /** stdio: a line feed ends it. */
  lineFeed: z.boolean().optional(),
  /** WebSocket: the kind of frame. */
  frame: z.enum(['text', 'binary']).optional(),
  /** HTTP: the method of the request. */
  method: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/)
    .optional(),
  /** HTTP headers that replace ours of the same name; null removes ours. */
  headers: z.record(z.string(), z.string().nullable()).optional(),
})
export type Sending = z.infer<typeof sendingSchema>

/** What is known after sending, or why sending failed. Answers appear on the timeline. */
export const sentSchema = z.object({
  at: z.number(),
  /** The frames of this connection with this number or a later one are what was sent and what came since. */
  fromSeq: z.number(),
  httpStatus: z.number().optional(),
  problem: z.string().optional(),
})
export type Sent = z.infer<typeof sentSchema>

const findingSchema = z.object({
  path: z.string(),
  severity: z.enum(['error', 'warning', 'notice']),
  message: z.string(),
  rule: z.string(),
})

/** A rule that a message breaks, with what the specification asks for. */
export const describedFindingSchema = findingSchema.extend({ sentence: z.string(), section: z.string() })
export type DescribedFinding = z.infer<typeof describedFindingSchema>

/** A frame with what is wrong with it; without `findings` it is not a message, or too long to be looked through. */
export const inspectedFramesSchema = z.object({
  frame: frameSchema,
  findings: z.array(describedFindingSchema).optional(),
})
export type LookedAt = z.infer<typeof inspectedFramesSchema>

export const composerContract = {
  /**
   * Sends anything on an open connection, past every check; the connection stays what it is. Throws only if there is
   * no such connection or the bytes are not base64.
   */
  send: oc
    .input(z.object({ serverId: z.string(), body: composedSchema, how: sendingSchema }))
    .output(sentSchema),
  /** Frames, each checked against the rules of a revision. `answers` is the method that a response answers. */
  look: oc
    .input(
      z.object({
        revision: z.string(),
        frames: z.array(z.object({ seq: z.number(), answers: z.string().optional() })).max(200),
      }),
    )
    .output(z.object({ frames: z.array(inspectedFramesSchema), dropped: z.number() })),
}
