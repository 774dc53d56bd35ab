import { versionClaim } from '../../protocol/era.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { decodeHeaderValue } from '../../protocol/header-value.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { JsonRpcRequest } from '../../protocol/messages.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { unsupportedVersion } from '../../protocol/version-refusal.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import type { RequestOrigin } from '../../ports/server-port.ts'
import type { ServerCore } from '../core.ts'
import { checkDeprecatedMeta } from '../deprecated/table.ts'
import type { SpokenRevisions } from '../spoken-revisions.ts'

/** What a modern request says of itself in `_meta`. */
export type Envelope = {
  readonly row: RevisionRow
  readonly clientCapabilities: JsonObject
  readonly clientInfo: JsonObject | undefined
  readonly meta: JsonObject
}

/** The parameter that `Mcp-Name` repeats, by method; those of extensions name their own. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

/**
 * Checks a request before dispatch (2026-07-28, Versioning and Streamable HTTP): the envelope's types, then
 * headers that contradict the body, then the version, then headers that are missing, then the method. The version
 * comes before missing headers because the list of versions is what helps a foreign client.
 * Throws the `ProtocolError` of the first fault.
 */
export function readEnvelope(
  message: JsonRpcRequest,
  origin: RequestOrigin,
  { spoken, extensions }: Pick<ServerCore, 'spoken' | 'extensions'>,
): Envelope {
  const claim = versionClaim(message)
  if (claim === undefined) throw missingEnvelope(message, origin, spoken)
  const meta = message.params?.['_meta']
  if (typeof claim !== 'string' || !isJsonObject(meta)) {
    throw invalidParams(`_meta["${MetaKey.protocolVersion}"] must be a string`)
  }
  const clientCapabilities = meta[MetaKey.clientCapabilities]
  if (!isJsonObject(clientCapabilities)) {
    throw invalidParams(`_meta["${MetaKey.clientCapabilities}"] must be an object`)
  }
  if (origin.checksHeaders) compareHeaders(message, claim, origin)
  const row = spoken.row(claim)
  if (row?.era !== 'modern') throw unsupportedVersion(spoken.all, claim)
  const { method } = message
  const isKnown = knowsRequest(row, method)
  const extended = isKnown ? undefined : extensions.method(method, 'modern')
  if (origin.checksHeaders) {
    requireHeaders(message, origin, NAMED_BY.get(method) ?? extended?.value.nameParameter)
  }
  if (!isKnown && extended === undefined) {
    throw new ProtocolError(ErrorCode.methodNotFound, `Method not found: ${visibleLine(method, 100)}`)
  }
  checkDeprecatedMeta(meta)
  const clientInfo = meta[MetaKey.clientInfo]
  return {
    row,
    clientCapabilities,
    clientInfo: isJsonObject(clientInfo) ? clientInfo : undefined,
    meta,
  }
}

const requests = new WeakMap<RevisionRow, ReadonlySet<string>>()

/** Whether a client may send that request; kept by revision, for it is asked with every request. */
function knowsRequest(row: RevisionRow, method: string): boolean {
  let known = requests.get(row)
  if (known === undefined) {
    known = new Set(Object.keys(row.requests).filter((each) => row.requests[each] !== 'embedded'))
    requests.set(row, known)
  }
  return known.has(method)
}

function missingEnvelope(
  message: JsonRpcRequest,
  { headers, checksHeaders }: RequestOrigin,
  spoken: SpokenRevisions,
): ProtocolError {
  const header = checksHeaders ? headers['mcp-protocol-version'] : undefined
  if (spoken.modern.length === 0) return unsupportedVersion(spoken.all, header)
  if (message.method === 'initialize') {
    if (header !== undefined) {
      return headerMismatch('MCP-Protocol-Version names a revision that has no "initialize"')
    }
    const requested = message.params?.['protocolVersion']
    return unsupportedVersion(spoken.all, typeof requested === 'string' ? requested : undefined)
  }
  return invalidParams(
    `the request needs params._meta with "${MetaKey.protocolVersion}" and "${MetaKey.clientCapabilities}"`,
  )
}

function compareHeaders(message: JsonRpcRequest, claim: string, { headers }: RequestOrigin): void {
  const version = headers['mcp-protocol-version']
  if (version !== undefined && version !== claim) {
    throw headerMismatch(`MCP-Protocol-Version is "${version}", but _meta says "${claim}"`)
  }
  const method = headers['mcp-method']
  if (method !== undefined && method !== message.method) {
    throw headerMismatch(`Mcp-Method is "${method}", but the body's method is "${message.method}"`)
  }
}

function requireHeaders(
  message: JsonRpcRequest,
  { headers }: RequestOrigin,
  parameter: string | undefined,
): void {
  if (headers['mcp-protocol-version'] === undefined) throw headerMismatch('MCP-Protocol-Version is missing')
  if (headers['mcp-method'] === undefined) throw headerMismatch('Mcp-Method is missing')
  const name = parameter === undefined ? undefined : message.params?.[parameter]
  if (typeof name !== 'string') return
  const header = headers['mcp-name']
  if (header === undefined) throw headerMismatch('Mcp-Name is missing')
  const decoded = decodeHeaderValue(header)
  if (!decoded.ok) throw headerMismatch(`Mcp-Name cannot be read: ${decoded.reason}`)
  if (decoded.value !== name) {
    throw headerMismatch(`Mcp-Name is "${decoded.value}", but params.${String(parameter)} is "${name}"`)
  }
}

/** The error for headers that are missing or contradict the body (specification of 2026-07-28: Streamable HTTP). */
export function headerMismatch(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.headerMismatch, `Header mismatch: ${message}`)
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidParams, `Invalid params: ${message}`)
}
