import type { Connection } from '../../client/connect.ts'
import { PeerError } from '../../client/errors.ts'
import { LISTS, type Listed } from '../../client/listed.ts'
import { LOCK_KINDS, type LockKind } from '../../contract-lock/lock-schema.ts'
import type { Definitions } from '../../contract-lock/write-lock.ts'
import { CodedError } from '../../protocol/coded-error.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { ErrorCode } from '../../protocol/errors.ts'
import { writeNote } from '../output/output.ts'

/** The capability that goes with each list. */
const CAPABILITIES = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resources',
  prompts: 'prompts',
}

/** A list that came in part; what is missing in it would look as if it had been removed. */
export class IncompleteListError extends CodedError<'malformed-entry' | 'incomplete'> {
  override readonly name = 'IncompleteListError'
}

/** Everything that a server lists. Rejects with an `IncompleteListError` rather than leave anything out. */
export async function readDefinitions(connection: Connection, signal: AbortSignal): Promise<Definitions> {
  const read: Partial<Record<LockKind, readonly JsonObject[]>> = {}
  for (const kind of LOCK_KINDS) {
    if (connection.capabilities[CAPABILITIES[kind]] === undefined) continue
    read[kind] = await readList(connection, kind, signal)
  }
  return read
}

async function readList(
  connection: Connection,
  kind: LockKind,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const { method } = LISTS[kind]
  const listed = await listOf(connection, kind, signal).catch((error: unknown) => {
    if (!(error instanceof PeerError) || error.code !== ErrorCode.methodNotFound) throw error
    writeNote(`patchbay: the server does not know ${method}, so that list counts as empty`)
    return undefined
  })
  if (listed === undefined) return []
  const { items, malformed, flawed, problem } = listed
  for (const { index, reason } of flawed)
    writeNote(`patchbay: entry ${index} of ${method} is used without what is wrong in it: ${reason}`)
  const [first] = malformed
  if (first !== undefined)
    throw new IncompleteListError(
      'malformed-entry',
      `entry ${first.index} of ${method} cannot be read, so no lock is made of it: ${first.reason}`,
    )
  if (problem !== undefined)
    throw new IncompleteListError(
      'incomplete',
      `${method} came in part, so no lock is made of it: ${problem}`,
    )
  return items
}

function listOf(connection: Connection, kind: LockKind, signal: AbortSignal): Promise<Listed> {
  switch (kind) {
    case 'tools':
      return connection.listTools({ signal })
    case 'resources':
      return connection.listResources({ signal })
    case 'resourceTemplates':
      return connection.listResourceTemplates({ signal })
    case 'prompts':
      return connection.listPrompts({ signal })
  }
}
