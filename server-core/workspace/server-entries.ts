import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { SUPPORTED } from '../protocol/revisions.ts'
import { DocumentFile, type OnSetAside } from './document-file.ts'

/**
 * A variable or header. A secret one has its value in the secret store, never in the file; `version` changes with the
 * value, so that an entry and its secrets change in one step, however many files they are in.
 */
const storedPairSchema = z.union([
  z.looseObject({ name: z.string(), value: z.string() }),
  z.looseObject({ name: z.string(), secret: z.literal(true), version: z.string().optional() }),
])
export type StoredPair = z.infer<typeof storedPairSchema>

/** Who this client says it is and what it says it can, in place of what it says by itself. */
const storedDeclarationSchema = z.looseObject({
  identity: z.looseObject({ name: z.string(), version: z.string() }),
  capabilities: z.record(z.string(), z.unknown()),
})

/** What a user chose about speaking with a server. Missing is automatic. */
const choices = {
  protocol: z.enum(SUPPORTED).optional(),
  declaration: storedDeclarationSchema.optional(),
}

const shared = {
  ...choices,
  /** Our own, random: it is never made of a name that came from outside. */
  id: z.string().regex(/^[\w-]{1,64}$/),
  name: z.string().min(1),
  origin: z.enum(['user', 'imported']),
}

const serverEntrySchema = z.discriminatedUnion('transport', [
  z.looseObject({
    ...shared,
    transport: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()),
    cwd: z.string().optional(),
    env: z.array(storedPairSchema),
  }),
  z.looseObject({
    ...shared,
    /** `http` is Streamable HTTP, `sse` the older HTTP+SSE; `auto` finds out which. */
    transport: z.enum(['auto', 'http', 'sse', 'websocket']),
    url: z.string().min(1),
    /** Parameters of the address are secrets: `url` has dots in their place, the whole one is in the secret store. */
    secretUrl: z.boolean().optional(),
    secretUrlVersion: z.string().optional(),
    headers: z.array(storedPairSchema),
    /** A bearer token is in the secret store. */
    bearer: z.boolean().optional(),
    bearerVersion: z.string().optional(),
  }),
])
/** A server as the workspace's file keeps it. It says nothing of approval: data cannot approve itself. */
export type ServerEntry = z.infer<typeof serverEntrySchema>

export const workspaceDocumentSchema = z.looseObject({
  servers: z.array(serverEntrySchema).default([]),
  /** What was chosen about the server that Patchbay itself hosts, which has no entry. */
  thisApp: z.looseObject(choices).optional(),
})
export type WorkspaceDocument = z.infer<typeof workspaceDocumentSchema>

/** Opens `patchbay.json` of a workspace. Members it does not know are kept. */
export function workspaceDocument(file: string, onSetAside: OnSetAside): DocumentFile<WorkspaceDocument> {
  return new DocumentFile({
    file,
    version: 1,
    schema: workspaceDocumentSchema,
    empty: () => ({ servers: [] }),
    // It may be shared with others, in a repository or a group's folder.
    keepsMode: true,
    byHand: true,
    // Arguments and variables may have passwords in them.
    holdsSecrets: true,
    onSetAside,
  })
}

/** A new id for an entry. */
export function newEntryId(): string {
  return randomBytes(12).toString('base64url')
}
