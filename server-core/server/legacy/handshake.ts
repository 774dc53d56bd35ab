import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { unsupportedVersion } from '../../protocol/version-refusal.ts'
import type { ServerCore } from '../core.ts'
import { implementationFor } from '../downgrade/described.ts'
import { invalidParams } from './faults.ts'

/** What client and server agreed on (Lifecycle: initialization). */
export type Agreed = {
  readonly row: RevisionRow
  readonly clientInfo: JsonObject | undefined
  readonly clientCapabilities: JsonObject
  /** What was declared to the client; later changes are notified within that. */
  readonly capabilities: JsonObject
}

/**
 * Reads `initialize`: the version that the client offers if it is supported, else the newest that opens with a
 * handshake. `declare` returns the capabilities for a revision. Throws a `ProtocolError` for invalid parameters.
 */
export function agree(
  core: ServerCore,
  params: JsonObject,
  declare: (row: RevisionRow, capabilities: JsonObject) => JsonObject,
): Agreed {
  const { protocolVersion, capabilities, clientInfo } = params
  if (typeof protocolVersion !== 'string') {
    throw invalidParams(`initialize needs params.protocolVersion, one of ${core.spoken.legacy.join(', ')}`)
  }
  const row = core.spoken.negotiate(protocolVersion)
  if (row === undefined) throw unsupportedVersion(core.spoken.all, protocolVersion)
  return {
    row,
    clientInfo: isJsonObject(clientInfo) ? clientInfo : undefined,
    clientCapabilities: isJsonObject(capabilities) ? capabilities : {},
    capabilities: declare(row, core.capabilities('legacy')),
  }
}

/** The result of `initialize`. */
export function initializeResult(
  { info, instructions }: ServerCore,
  { row, capabilities }: Agreed,
): JsonObject {
  return {
    protocolVersion: row.revision,
    capabilities,
    serverInfo: implementationFor(row, info),
    ...(instructions === undefined ? {} : { instructions }),
  }
}
