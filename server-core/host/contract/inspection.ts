import { LOG_LEVELS } from '../../protocol/log-level.ts'
import { oc } from '@orpc/contract'
import { z } from 'zod'

/** Severities of log messages (specification: Logging), the least first. */
export const logLevelSchema = z.enum(LOG_LEVELS)

/** A resource that the user subscribed to, or that the server sends updates of without a subscription. */
export const subscriptionSchema = z.object({
  uri: z.string(),
  state: z.discriminatedUnion('type', [
    z.object({ type: z.literal('asking') }),
    z.object({ type: z.literal('subscribed') }),
    z.object({ type: z.literal('not-connected') }),
    /** The server does not declare subscriptions. */
    z.object({ type: z.literal('not-offered') }),
    z.object({ type: z.literal('refused'), reason: z.string() }),
    /** Updates of it came although nobody subscribed to it; `under` is the subscribed resource it is a part of. */
    z.object({ type: z.literal('unasked'), under: z.string().optional() }),
  ]),
  /** `notifications/resources/updated` that came for it. */
  updates: z.number(),
  updatedAt: z.number().optional(),
})
export type Subscription = z.infer<typeof subscriptionSchema>

/** What a user set up on one server, beside single calls. */
export const inspectionSchema = z.object({
  serverId: z.string(),
  /** The level the user chose; missing if none was, and then the server decides. */
  logLevel: logLevelSchema.optional(),
  subscriptions: z.array(subscriptionSchema),
})
export type Inspection = z.infer<typeof inspectionSchema>

/** Values for one argument of a prompt or a resource template (specification: Completion). */
export const completionSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('values'),
    values: z.array(z.string()),
    total: z.number().optional(),
    hasMore: z.boolean().optional(),
  }),
  z.object({ type: z.literal('problem'), message: z.string() }),
])
export type Completion = z.infer<typeof completionSchema>

const resource = z.object({ serverId: z.string(), uri: z.string().min(1) })

export const inspectionContract = {
  /**
   * Sets the least severity of log messages that the server sends, on this and every later connection.
   * Throws `REFUSED` with the server's message, and keeps the earlier level.
   */
  setLogLevel: oc
    .input(z.object({ serverId: z.string(), level: logLevelSchema }))
    .output(z.object({ level: logLevelSchema })),
  /** Subscribes until `unsubscribe`, over every connection; resolves with how it stands. */
  subscribe: oc.input(resource).output(subscriptionSchema),
  /** Ends a subscription. Throws `REFUSED` if the server does not end it. */
  unsubscribe: oc.input(resource).output(z.object({ unsubscribed: z.literal(true) })),
  /** Asks for values of an argument. Aborting the call cancels the request. */
  complete: oc
    .input(
      z.object({
        serverId: z.string(),
        ref: z.discriminatedUnion('type', [
          z.object({ type: z.literal('ref/prompt'), name: z.string() }),
          z.object({ type: z.literal('ref/resource'), uri: z.string() }),
        ]),
        argument: z.object({ name: z.string(), value: z.string() }),
        /** The other arguments, as far as they are filled in. */
        context: z.record(z.string(), z.string()),
      }),
    )
    .output(completionSchema),
}
