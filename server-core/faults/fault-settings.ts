import { TRANSPORT_KINDS } from '../protocol/transport-kind.ts'
import { z } from 'zod'

/** Milliseconds of the longest delay or stall. */
const LONGEST_MS = 600_000
/** Bytes of the longest flood on standard error. */
const LARGEST_FLOOD = 64 * 1024 * 1024
/** Rules of one server. */
const MOST_RULES = 1_000

/** The transports of the server that faults can be set for; `http` is Streamable HTTP, `sse` is HTTP+SSE. */
export const faultTransportSchema = z.enum(TRANSPORT_KINDS)
export type FaultTransport = z.infer<typeof faultTransportSchema>

const shared = {
  /** Names the rule; its chances are drawn by it. */
  id: z.string().min(1).max(64),
  enabled: z.boolean().default(true),
  /** Where it holds: for answers to calls of one tool, on one transport. Missing means all. */
  where: z
    .looseObject({ tool: z.string().min(1).optional(), transport: faultTransportSchema.optional() })
    .default({}),
  /** Chance at each occasion, from 0 to 1; always if not given. */
  probability: z.number().min(0).max(1).optional(),
}

/** One kind of trouble, where it is made and how often. */
export const faultRuleSchema = z.discriminatedUnion('kind', [
  z.looseObject({
    ...shared,
    kind: z.literal('delay'),
    ms: z.number().int().min(0).max(LONGEST_MS).default(250),
    /** Up to so many milliseconds more, by chance. */
    jitterMs: z.number().int().min(0).max(LONGEST_MS).optional(),
  }),
  z.looseObject({ ...shared, kind: z.literal('drop') }),
  z.looseObject({ ...shared, kind: z.literal('duplicate') }),
  z.looseObject({
    ...shared,
    kind: z.literal('reorder'),
    /** So many messages overtake it. */
    count: z.number().int().min(1).max(100).default(1),
  }),
  z.looseObject({ ...shared, kind: z.literal('cut') }),
  z.looseObject({
    ...shared,
    kind: z.literal('malformed'),
    how: z.enum(['truncate', 'not-json', 'invalid-utf8']).default('truncate'),
  }),
  z.looseObject({ ...shared, kind: z.literal('wrong-id') }),
  z.looseObject({
    ...shared,
    kind: z.literal('status'),
    status: z.number().int().min(400).max(599).default(503),
    /** Seconds of a `Retry-After`. */
    retryAfter: z.number().int().min(0).max(86_400).optional(),
  }),
  z.looseObject({ ...shared, kind: z.literal('session-loss') }),
  z.looseObject({
    ...shared,
    kind: z.literal('stall'),
    /** Nothing is sent for so many milliseconds; until the rule is off if not given. */
    ms: z.number().int().min(1).max(LONGEST_MS).optional(),
  }),
  z.looseObject({
    ...shared,
    kind: z.literal('close'),
    /** So many messages of the connection, or of the reply, still pass. */
    after: z.number().int().min(0).max(10_000).default(0),
  }),
  z.looseObject({
    ...shared,
    kind: z.literal('stderr-flood'),
    bytes: z.number().int().min(1).max(LARGEST_FLOOD).default(1_048_576),
  }),
])
export type FaultRule = z.infer<typeof faultRuleSchema>
export type FaultKind = FaultRule['kind']

/** Member `faults` of `patchbay.json`, and the file of `patchbay serve --faults`. */
export const faultSettingsSchema = z.looseObject({
  /** All of them at once. */
  on: z.boolean().default(true),
  /** The same seed gives the same faults at the same occasions. */
  seed: z.number().int().min(0).max(0xffff_ffff).default(0x5eed),
  rules: z.array(faultRuleSchema).max(MOST_RULES).default([]),
})
export type FaultSettings = z.infer<typeof faultSettingsSchema>
