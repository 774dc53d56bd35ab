import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { JsonObject } from '../protocol/json.ts'
import type { Revision } from '../protocol/revisions.ts'
import { DocumentFile, type OnSetAside } from '../workspace/document-file.ts'

/** Who a client says it is and what it says it can. */
export type Declared = {
  readonly identity: JsonObject & { readonly name: string; readonly version: string }
  readonly capabilities: JsonObject
}

/** Which revision is insisted on, and what is declared; missing is automatic. */
type Choices = { readonly protocol?: Revision | undefined; readonly declaration?: Declared | undefined }

/** Everything that an approval covers, with every value in it, secrets included. */
export type Approvable = Choices &
  (
    | {
        readonly transport: 'stdio'
        readonly command: string
        readonly args: readonly string[]
        /** The absolute folder that the process starts in. */
        readonly cwd: string
        readonly env: readonly NameAndValue[]
      }
    | {
        /** `http` is Streamable HTTP, `sse` the older HTTP+SSE; `auto` finds out which. */
        readonly transport: 'auto' | 'http' | 'sse' | 'websocket'
        readonly url: string
        readonly headers: readonly NameAndValue[]
        readonly bearerToken?: string
      }
  )

type NameAndValue = { readonly name: string; readonly value: string }

/**
 * SHA-256 over a canonical form: a JSON array in which every part has its own place, so that no two different
 * targets have the same form. A change of one byte gives another hash. The order of variables and headers counts.
 * Choices that were not made leave no trace, so that they cost nobody an approval.
 */
export function approvalHash(target: Approvable): string {
  const pairs = (list: readonly NameAndValue[]): unknown => list.map(({ name, value }) => [name, value])
  const form =
    target.transport === 'stdio'
      ? ['stdio', target.command, target.args, target.cwd, pairs(target.env)]
      : [target.transport, target.url, pairs(target.headers), target.bearerToken ?? null]
  const { protocol, declaration } = target
  if (protocol !== undefined || declaration !== undefined)
    form.push({ protocol: protocol ?? null, declaration: declaration ?? null })
  return createHash('sha256').update(JSON.stringify(form)).digest('hex')
}

const approvalsDocumentSchema = z.looseObject({
  /** By `approvalKey`. */
  approvals: z.record(z.string(), z.object({ hash: z.string(), at: z.number() })).default({}),
  /** Keys of secrets that a change adds or takes away: after a crash, those that no entry uses are orphans. */
  unsettled: z.array(z.string()).optional(),
})
export type ApprovalsDocument = z.infer<typeof approvalsDocumentSchema>

/** Names an entry across all workspaces of a profile. */
export function approvalKey(workspaceFile: string, entryId: string): string {
  return `${entryId}@${workspaceFile}`
}

/** Opens the approvals of a profile: apart from the entries, so that an imported entry cannot bring its own. */
export function approvalsDocument(file: string, onSetAside: OnSetAside): DocumentFile<ApprovalsDocument> {
  return new DocumentFile({
    file,
    version: 1,
    schema: approvalsDocumentSchema,
    empty: () => ({ approvals: {} }),
    onSetAside,
  })
}
