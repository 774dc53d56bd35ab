import { CodedError } from '../protocol/coded-error.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { handshakeRow, revisionsOf, type Revision } from '../protocol/revisions.ts'
import type { Answer, Channel } from './channel.ts'
import { envelopeOf, withEnvelope, type Identity } from './envelope.ts'
import { RequestFailedError } from './errors.ts'

/** What both sides agreed on. */
export type Agreement = {
  readonly channel: Channel
  readonly revision: Revision
  readonly serverInfo?: JsonObject
  readonly capabilities: JsonObject
  readonly instructions?: string
  /** What `server/discover` was answered with, where that led to the revision. */
  readonly discovery?: Answer
}

/** The client and the server speak no revision in common. */
export class VersionMismatch extends CodedError<'version-mismatch'> {
  override readonly name = 'VersionMismatch'

  constructor(message: string, options?: ErrorOptions) {
    super('version-mismatch', message, options)
  }
}

export type Handshake = {
  readonly revision: Revision
  readonly identity: Identity
  readonly capabilities: JsonObject
  readonly timeoutMs: number
  /** No other revision will do. */
  readonly isPinned?: boolean
  /** A newer revision that the request claims to be of: a server that speaks it refuses, and takes no handshake. */
  readonly claims?: Revision
  readonly signal?: AbortSignal | undefined
}

/**
 * The handshake of the legacy revisions (lifecycle: initialization), `notifications/initialized` included. Throws if
 * the server answers with a revision this client does not speak.
 */
export async function initialize(channel: Channel, handshake: Handshake): Promise<Agreement> {
  const { revision, identity, capabilities, timeoutMs, isPinned = false, claims, signal } = handshake
  const params = { protocolVersion: revision, capabilities, clientInfo: identity }
  const { result } = await channel.request({
    method: 'initialize',
    params: claims === undefined ? params : withEnvelope(params, envelopeOf(claims, identity, capabilities)),
    timeoutMs,
    maximumMs: Infinity,
    // `initialize` is never cancelled on the wire.
    cancellation: 'hang-up',
    signal,
  })
  const answered = result['protocolVersion']
  if (typeof answered !== 'string') {
    throw new RequestFailedError('invalid-answer', 'initialize was answered without a protocolVersion')
  }
  const row = handshakeRow(answered)
  if (row === undefined) {
    const ours = revisionsOf('legacy').join(', ')
    throw new VersionMismatch(
      `no revision in common: the server answered ${answered}; this client offers ${ours}`,
    )
  }
  if (isPinned && row.revision !== revision) {
    throw new VersionMismatch(
      `the server answered ${row.revision}, but ${revision} is insisted on; let the revision be found, or insist on ${row.revision}`,
    )
  }
  await channel.notify('notifications/initialized', undefined, row.revision)
  channel.transport.openStream?.()
  return agreementOf(channel, row.revision, result, result['serverInfo'])
}

/** What an answer to `initialize` or `server/discover` says of its server. */
export function agreementOf(
  channel: Channel,
  revision: Revision,
  result: JsonObject,
  serverInfo: unknown,
): Agreement {
  const { capabilities, instructions } = result
  return {
    channel,
    revision,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ...(isJsonObject(serverInfo) ? { serverInfo } : {}),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}
