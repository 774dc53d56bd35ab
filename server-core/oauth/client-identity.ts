import type { ClientIdentity, FlowAt, FlowState, ServerFacts, TokenAuthMethod } from './flow-state.ts'
import type { ClientSettings, FlowParts } from './flow-parts.ts'
import { stringsIn } from './json-reply.ts'
import { OAuthError } from './oauth-error.ts'

/**
 * Decides as whom this client comes to the authorization server (specification: Client Registration Approaches): as
 * the one that was registered by hand; by its metadata document, if such ids are taken; else by dynamic registration,
 * an earlier one if there is one. What one issuer gave is never shown to another.
 */
export async function chooseClient(state: FlowAt<'client'>, parts: FlowParts): Promise<FlowState> {
  const { server } = state
  const { settings, credentials, log } = parts
  const registered = preRegistered(settings, server.issuer)
  if (registered !== undefined) {
    await pinToIssuer(registered, state, parts)
    log.note(
      'client',
      `This client is ${registered.clientId}.`,
      'It was registered by hand, as the settings say.',
    )
    return withClient(state, registered, parts)
  }
  const document = documentUrl(settings, server, parts)
  if (document !== undefined) {
    log.note(
      'client',
      `This client is ${document}, the address of its metadata document.`,
      'The authorization server takes such addresses as client ids, so no registration is needed.',
    )
    return withClient(state, { kind: 'metadata-document', clientId: document }, parts)
  }
  const known = await credentials.client(server.issuer)
  if (known?.kind === 'dynamic' && (known.expiresAt ?? Infinity) > Date.now()) {
    const kept = await withClient(state, known, parts)
    // A token can be renewed whatever the redirect address is; a new page needs the registered one.
    if (kept.next === 'refresh' || known.redirectUri === undefined) return told(kept, known, parts)
    if (!parts.mayAskUser) throw userNeeded(state)
    const { redirectUri } = await parts.receiver.open(portOf(known.redirectUri))
    if (redirectUri === known.redirectUri) return told(kept, known, parts)
    log.note(
      'client',
      `The registration as ${known.clientId} is not used again.`,
      `It was made for ${known.redirectUri}, and that port is taken now.`,
    )
  }
  if (typeof server.metadata['registration_endpoint'] === 'string') return { ...state, next: 'registration' }
  throw new OAuthError(
    'client',
    `${server.issuer} registers no clients by itself. Register Patchbay there by hand, with the redirect address http://127.0.0.1/callback, and enter the client id (and secret, if it gives one) in the authorization settings of this server.`,
  )
}

/** What comes after a client is known: a token that is there is renewed, else the user is asked. */
export async function withClient(
  { next: _next, ...state }: FlowAt<'client' | 'registration'>,
  client: ClientIdentity,
  { credentials }: FlowParts,
): Promise<FlowAt<'refresh' | 'authorization'>> {
  const { issuer } = state.server
  const tokens = state.mayRefresh
    ? await credentials.tokens(issuer, state.resource.resource, client.clientId)
    : undefined
  return { ...state, client, next: tokens?.refreshToken === undefined ? 'authorization' : 'refresh' }
}

/** The error that ends an authorization which only the user can take further. */
export function userNeeded({
  challenge,
  server,
}: FlowAt<'client' | 'registration' | 'authorization'>): OAuthError {
  if (!server.declared) {
    return new OAuthError(
      'not-offered',
      `The server wants a token, and nothing says where one is issued. ${server.issuer} may do it, at the default places of 2025-03-26, after you agreed in your browser; or the server wants a token or key that you have.`,
    )
  }
  const scope =
    challenge.error === 'insufficient_scope'
      ? ` It wants more than was granted: ${challenge.scope ?? 'it does not say what'}. Authorize the server again, which asks for that too, and send the request again.`
      : ''
  return new OAuthError(
    'user-needed',
    `The server asks for authorization, which ${server.issuer} gives after you agreed in your browser.${scope}`,
  )
}

/** How to authenticate at the token endpoint: as registered, else by what is taken, in the order basic, post, none. */
export function tokenAuthMethod(client: ClientIdentity, server: ServerFacts): TokenAuthMethod {
  if (client.tokenAuthMethod !== undefined) return client.tokenAuthMethod
  if (client.clientSecret === undefined) return 'none'
  const taken = stringsIn(server.metadata['token_endpoint_auth_methods_supported'])
  if (taken === undefined || taken.includes('client_secret_basic')) return 'client_secret_basic'
  if (taken.includes('client_secret_post')) return 'client_secret_post'
  return taken.includes('none') ? 'none' : 'client_secret_basic'
}

export function portOf(redirectUri: string): number | undefined {
  const port = URL.parse(redirectUri)?.port ?? ''
  return port === '' ? undefined : Number(port)
}

function told<T extends FlowState>(state: T, { clientId }: ClientIdentity, { log }: FlowParts): T {
  log.note(
    'client',
    `This client is ${clientId}.`,
    'It was registered with this authorization server before.',
  )
  return state
}

function preRegistered(settings: ClientSettings, issuer: string): ClientIdentity | undefined {
  const { clientId, clientSecret } = settings
  if (clientId === undefined) return undefined
  if (settings.issuer !== undefined && settings.issuer !== issuer) return undefined
  return { kind: 'pre-registered', clientId, ...(clientSecret === undefined ? {} : { clientSecret }) }
}

/**
 * A client that was registered by hand belongs to the authorization server that the settings name, else to the first
 * at which it is used: its secret is shown to no other.
 */
async function pinToIssuer(
  { kind, clientId }: ClientIdentity,
  { server }: FlowAt<'client'>,
  { credentials, settings, log }: FlowParts,
): Promise<void> {
  if (settings.issuer !== undefined) return
  const first = await credentials.issuerOf(clientId)
  if (first === server.issuer) return
  if (first === undefined) return credentials.saveClient(server.issuer, { kind, clientId })
  const message = `The client ${clientId} belongs to ${first}, and the server names ${server.issuer} now. What one authorization server gave is shown to no other. If you registered it there too, choose that authorization server in the settings.`
  log.recordFailure('client', message, 'It was registered by hand, and first used elsewhere.')
  throw new OAuthError('issuer-mismatch', message)
}

function documentUrl(
  { clientMetadataUrl }: ClientSettings,
  { metadata }: ServerFacts,
  { log }: FlowParts,
): string | undefined {
  if (clientMetadataUrl === undefined || metadata['client_id_metadata_document_supported'] !== true)
    return undefined
  const url = URL.parse(clientMetadataUrl)
  if (url?.protocol === 'https:' && url.pathname !== '/') return clientMetadataUrl
  log.recordFailure(
    'client',
    `${clientMetadataUrl} is not a client id.`,
    'The address of a metadata document is https and has a path.',
  )
  return undefined
}
