import { oc } from '@orpc/contract'
import { z } from 'zod'
import { failureSchema } from '../../diagnosis/failure-schema.ts'
import {
  protocolSchema,
  remoteTransportSchema,
  declarationSchema,
  serverTargetSchema,
  serverDraftSchema,
} from '../../profile/server-target.ts'

export { failureSchema, type Failure } from '../../diagnosis/failure-schema.ts'
export {
  pairSchema,
  protocolSchema,
  remoteTransportSchema,
  declarationSchema,
  serverTargetSchema,
  serverDraftSchema,
  type Pair,
  type Protocol,
  type RemoteTransport,
  type Declaration,
  type ServerTarget,
  type ServerDraft,
} from '../../profile/server-target.ts'

export const serverStateSchema = z.object({
  id: z.string(),
  name: z.string(),
  origin: z.enum(['embedded', 'user', 'imported']),
  /** The one that is or was used; before the first connection the one that was chosen. */
  transport: z.enum(['stdio', ...remoteTransportSchema.options]),
  /** What was chosen about finding transport and revision, and whether it speaks over a URL at all. */
  chosen: z.object({
    transport: z.enum(['stdio', ...remoteTransportSchema.options]),
    protocol: protocolSchema,
  }),
  /** What this client declares to it, and whether that was chosen for this server. */
  declaration: declarationSchema.extend({ isChosen: z.boolean() }),
  /** The command line or the URL, for the second line of a row. */
  summary: z.string(),
  approval: z.enum(['approved', 'needed', 'changed']),
  /** What an approval of it as it is now is bound to. The server of Patchbay's own needs none. */
  approvalHash: z.string().optional(),
  status: z.enum(['disconnected', 'connecting', 'connected', 'failed']),
  revision: z.string().optional(),
  serverInfo: z.record(z.string(), z.unknown()).optional(),
  capabilities: z.record(z.string(), z.unknown()).optional(),
  instructions: z.string().optional(),
  pid: z.number().optional(),
  failure: failureSchema.optional(),
  /** While it is being connected and does not answer: since when, and what it has said so far. */
  waiting: z
    .object({ since: z.number(), stderr: z.string().optional(), strayOutput: z.string().optional() })
    .optional(),
  /** The steps of the probe, each with its reason. */
  probe: z.array(z.object({ step: z.string(), outcome: z.string() })),
})
export type ServerState = z.infer<typeof serverStateSchema>

/**
 * How long a connected server takes for a call: median and 95th percentile of its newest calls, at most 50, without the
 * time in which its own questions waited for answers.
 */
export const serverLatencySchema = z.object({
  serverId: z.string(),
  count: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
})
export type ServerLatency = z.infer<typeof serverLatencySchema>

/** Everything that will be run or sent, whole. `hash` is what an approval is bound to. */
export const approvalSchema = z.object({
  id: z.string(),
  name: z.string(),
  target: serverTargetSchema,
  /** The file that the command resolves to in PATH, if any. */
  resolvesTo: z.string().optional(),
  /** Environment variables the child inherits beside its own. */
  inherited: z.array(z.string()),
  /** Names of environment variables that load code. */
  loadsCode: z.array(z.string()),
  /** What keeps it from starting as it is now, and what makes it run more than its command says; whole sentences. */
  warnings: z.array(z.string()).optional(),
  hash: z.string(),
  /** When an earlier version was approved. */
  approvedBefore: z.number().optional(),
})
export type Approval = z.infer<typeof approvalSchema>

export const pasteSchema = z.object({
  drafts: z.array(serverDraftSchema),
  /** What could not be read, each with its reason. */
  problems: z.array(z.object({ name: z.string(), reason: z.string() })),
})
export type Paste = z.infer<typeof pasteSchema>

const id = z.object({ id: z.string() })

export const serversContract = {
  list: oc.output(z.array(serverStateSchema)),
  /** Stores it unapproved; `approve` with the hash of what was shown makes it startable. */
  add: oc
    .input(z.object({ draft: serverDraftSchema, origin: z.enum(['user', 'imported']) }))
    .output(serverStateSchema),
  update: oc.input(z.object({ id: z.string(), draft: serverDraftSchema })).output(serverStateSchema),
  /** What an editor starts from; the bearer token is never in it. */
  draft: oc.input(id).output(serverDraftSchema.extend({ hasBearerToken: z.boolean() })),
  remove: oc.input(id).output(z.object({ removed: z.literal(true) })),
  /** Restores the server that the last `remove` of that id removed. */
  restore: oc.input(id).output(serverStateSchema),
  /** Reads a client's `mcpServers` JSON, a command line or a URL. Stores nothing. */
  readPaste: oc.input(z.object({ text: z.string().max(1_000_000) })).output(pasteSchema),
  /**
   * Pins the transport (of a URL) and the revision, or leaves them to be found out, and connects again unless it
   * was disconnected. It is the same thing that is reached, so an approval stays.
   */
  pin: oc
    .input(
      z.object({
        id: z.string(),
        transport: remoteTransportSchema.optional(),
        protocol: protocolSchema.optional(),
      }),
    )
    .output(serverStateSchema),
  /** Changes what is declared to a server (null: what this client declares by itself); otherwise as `pin`. */
  declare: oc
    .input(z.object({ id: z.string(), declaration: declarationSchema.nullable() }))
    .output(serverStateSchema),
  approval: oc.input(id).output(approvalSchema),
  approve: oc.input(z.object({ id: z.string(), hash: z.string() })).output(serverStateSchema),
  /** Resolves when it is connected or has failed; the state says which. */
  connect: oc.input(id).output(serverStateSchema),
  disconnect: oc.input(id).output(serverStateSchema),
  restart: oc.input(id).output(serverStateSchema),
}
