import { z } from 'zod'
import { SUPPORTED } from '../protocol/revisions.ts'

/**
 * A name and a value, in the order the user typed them (environment variables, headers). `kept`: the value is a
 * secret that never leaves the host; what is given instead only stands for it, and giving it back changes nothing.
 */
export const pairSchema = z.object({ name: z.string(), value: z.string(), kept: z.boolean().optional() })
export type Pair = z.infer<typeof pairSchema>

/** The revision to insist on; `auto` finds the newest that both speak. */
export const protocolSchema = z.enum(['auto', ...SUPPORTED])
export type Protocol = z.infer<typeof protocolSchema>

/** Transport of a URL: `http` is Streamable HTTP, `sse` the older HTTP+SSE; `auto` tries both. */
export const remoteTransportSchema = z.enum(['auto', 'http', 'sse', 'websocket'])
export type RemoteTransport = z.infer<typeof remoteTransportSchema>

/** Who this client says it is and what it says it can, as it goes over the wire. */
export const declarationSchema = z.object({
  identity: z.looseObject({ name: z.string().min(1), version: z.string() }),
  capabilities: z.record(z.string(), z.unknown()),
})
export type Declaration = z.infer<typeof declarationSchema>

/** Not given: automatic, and what this client declares by itself. */
const choices = {
  protocol: protocolSchema.optional(),
  declaration: declarationSchema.optional(),
}

/** How to reach a server: everything an approval covers. */
export const serverTargetSchema = z.discriminatedUnion('transport', [
  z.object({
    ...choices,
    transport: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()),
    cwd: z.string().optional(),
    env: z.array(pairSchema),
  }),
  z.object({
    ...choices,
    transport: remoteTransportSchema,
    url: z.string().min(1),
    headers: z.array(pairSchema),
  }),
])
export type ServerTarget = z.infer<typeof serverTargetSchema>

export const serverDraftSchema = z.object({
  name: z.string().min(1).max(120),
  target: serverTargetSchema,
  /** Kept in the secret store, sent as `Authorization: Bearer`. Only with a URL. */
  bearerToken: z.string().optional(),
})
export type ServerDraft = z.infer<typeof serverDraftSchema>
