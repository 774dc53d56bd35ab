import { z } from 'zod'
import type { Frame } from '../../ports/tap.ts'
import { tapRulesSchema } from '../rules/rule-schema.ts'

/** Bytes of one line on the channel. */
export const LONGEST_LINE = 128 * 1024 * 1024

const bytes = z.base64()
const http = z.object({
  exchange: z.int(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  status: z.int().optional(),
})

/** A frame as it crosses the channel. */
const frameSchema = z.object({
  kind: z.enum(['message', 'invalid', 'stderr', 'http', 'fault', 'lifecycle']),
  direction: z.enum(['sent', 'received']),
  bytes,
  /** Why it is invalid, or what happened to the connection. */
  reason: z.string().optional(),
  event: z.enum(['opened', 'closed']).optional(),
  http: http.optional(),
})
export type ChannelFrame = z.infer<typeof frameSchema>

/** A message that waits for a person. */
const channelHeldSchema = z.object({
  id: z.int(),
  direction: z.enum(['to-server', 'to-client']),
  kind: z.enum(['request', 'response', 'error', 'notification', 'invalid']),
  method: z.string().optional(),
  target: z.string().optional(),
  ruleId: z.string(),
  bytes,
  heldAt: z.number(),
  until: z.number(),
})
export type ChannelHeld = z.infer<typeof channelHeldSchema>

export const openRequestsSchema = z.enum(['wait', 'error', 'again'])

/** What is asked for in place of a server. Without a command, the same one starts again. */
export const swapSchema = z.object({
  command: z
    .object({
      command: z.string().min(1).max(10_000),
      args: z.array(z.string().max(100_000)).max(1_000),
    })
    .optional(),
  openRequests: openRequestsSchema,
})

export const swappedSchema = z.object({
  command: z.string(),
  pid: z.int(),
  serverInfo: z.string().optional(),
  changes: z.array(z.string()),
  failed: z.int(),
})
export type ChannelSwapped = z.infer<typeof swappedSchema>
export type SwapAsked = z.infer<typeof swapSchema>

const outcomeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('done'), swapped: swappedSchema }),
  z.object({ type: z.literal('failed'), message: z.string() }),
])
export type SwapOutcome = z.infer<typeof outcomeSchema>

/** What a tap says. The first message is `hello`. */
export const tapMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    token: z.string(),
    name: z.string().max(1_000),
    client: z.string().max(1_000).optional(),
    command: z.string().max(100_000),
    pid: z.int(),
    startedAt: z.number(),
    /** Its server can be replaced. */
    swaps: z.boolean().default(false),
  }),
  z.object({ type: z.literal('frames'), frames: z.array(frameSchema) }),
  /** So many frames did not cross the channel. */
  z.object({ type: z.literal('missed'), frames: z.int() }),
  z.object({ type: z.literal('held'), held: z.array(channelHeldSchema) }),
  z.object({ type: z.literal('hits'), hits: z.record(z.string(), z.int()) }),
  /** What became of a swap that was asked for under this number. */
  z.object({
    type: z.literal('swapped'),
    number: z.int(),
    outcome: outcomeSchema,
  }),
  /** The only message of a command line: it names a tap by name or process id. */
  z.object({
    type: z.literal('ask'),
    token: z.string(),
    tap: z.string().min(1).max(1_000),
    swap: swapSchema,
  }),
])
export type TapMessage = z.infer<typeof tapMessageSchema>

/** What the app says. */
export const appMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('rules'), rules: tapRulesSchema }),
  z.object({
    type: z.literal('settle'),
    id: z.int(),
    outcome: z.discriminatedUnion('type', [
      z.object({ type: z.literal('forward'), bytes: bytes.optional() }),
      z.object({ type: z.literal('drop') }),
      z.object({ type: z.literal('answer'), bytes }),
    ]),
  }),
  z.object({ type: z.literal('release') }),
  /** `proof` is what the app alone knows; a tap starts no command without it. */
  z.object({ type: z.literal('swap'), number: z.int(), proof: z.string(), swap: swapSchema }),
])
export type AppMessage = z.infer<typeof appMessageSchema>

/** What the app answers to a command line. */
export const answerSchema = z.object({ type: z.literal('answer'), outcome: outcomeSchema })

/** A frame for the channel. */
export function toChannel(frame: Frame): ChannelFrame {
  const { kind, direction } = frame
  return {
    kind,
    direction,
    bytes: Buffer.from(frame.bytes).toString('base64'),
    ...(frame.kind === 'invalid' && { reason: frame.reason }),
    ...(frame.kind === 'lifecycle' && { reason: frame.note, event: frame.event }),
    ...('http' in frame && { http: { ...frame.http, headers: { ...frame.http.headers } } }),
  }
}

/** A frame from the channel. */
export function fromChannel({
  kind,
  direction,
  bytes: text,
  reason = '',
  event = 'closed',
  http: facts,
}: ChannelFrame): Frame {
  const bytes = Buffer.from(text, 'base64')
  const head = facts === undefined ? undefined : withoutUndefined(facts)
  switch (kind) {
    case 'message':
      return { kind, direction, bytes, ...(head && { http: head }) }
    case 'invalid':
      return { kind, direction, bytes, reason, ...(head && { http: head }) }
    case 'stderr':
      return { kind, direction: 'received', bytes }
    case 'fault':
      return { kind, direction: 'sent', bytes }
    case 'lifecycle':
      return { kind, direction, bytes, event, note: reason }
    case 'http':
      return { kind, direction, bytes, http: head ?? { exchange: 0, method: '', url: '', headers: {} } }
  }
}

function withoutUndefined({ status, ...facts }: z.infer<typeof http>) {
  return { ...facts, ...(status !== undefined && { status }) }
}
