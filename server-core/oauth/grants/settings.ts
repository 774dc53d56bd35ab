import { z } from 'zod'

/** Signature algorithms of client assertions and DPoP proofs; asymmetric ones only. */
export const SIGNING_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]

const text = z.string().trim().min(1).max(2_048)
const httpUrl = z.url({ protocol: /^https?$/ }).max(2_048)

/** How a client shows the token endpoint that it is itself. */
const authenticationSchema = z.discriminatedUnion('method', [
  /** By its secret, in the way that the authorization server takes, or in this one. Secret: `client_secret`. */
  z.object({
    method: z.literal('secret'),
    as: z.enum(['client_secret_basic', 'client_secret_post']).optional(),
  }),
  /** By a JWT signed with its private key (RFC 7523, 2.2). Secret: `private_key`, as PEM or JWK. */
  z.object({
    method: z.literal('private_key_jwt'),
    algorithm: z.enum(SIGNING_ALGORITHMS).optional(),
    /** The `kid` under which the authorization server knows the key. */
    keyId: text.optional(),
  }),
  /** Not at all: a public client. */
  z.object({ method: z.literal('none') }),
])
export type GrantAuthentication = z.infer<typeof authenticationSchema>

/** Where a token comes from that somebody else issued. It is read again each time it is needed. */
const tokenSourceSchema = z.discriminatedUnion('from', [
  /** From the secret store, where the user put it. */
  z.object({ from: z.literal('secret') }),
  /** From a file, which a platform may renew (a projected service account token of Kubernetes, for example). */
  z.object({ from: z.literal('file'), path: text }),
  /** From a variable of the environment of Patchbay. */
  z.object({ from: z.literal('environment'), name: text }),
])
export type TokenSource = z.infer<typeof tokenSourceSchema>

/** As a client of this id, with no user (OAuth 2.1, 4.2; extension OAuth Client Credentials). */
const clientCredentialsSchema = z.object({
  kind: z.literal('client-credentials'),
  clientId: text,
  authentication: authenticationSchema,
})

/**
 * By the identity provider of an organisation, which says for whom tokens may be had (extension Enterprise-Managed
 * Authorization).
 */
const enterpriseManagedSchema = z.object({
  kind: z.literal('enterprise-managed'),
  /** This client at the authorization server of the MCP server. */
  clientId: text,
  authentication: authenticationSchema,
  identityProvider: z.object({
    issuer: httpUrl,
    /** Missing: the metadata of the identity provider says it. */
    tokenEndpoint: httpUrl.optional(),
    /** This client at the identity provider. */
    clientId: text,
    /** Its secret there is `idp_client_secret`; a key is the same as `private_key`. */
    authentication: authenticationSchema,
  }),
  /** What the identity provider gave at the sign-in. Secret: `subject_token`. */
  subject: z.object({
    source: tokenSourceSchema,
    type: z.enum(['id_token', 'saml2', 'refresh_token']),
  }),
})

/** By a JWT that the platform issued to this workload (RFC 7523, 2.1; Workload Identity Federation). */
const workloadIdentitySchema = z.object({
  kind: z.literal('workload-identity'),
  /** Secret: `assertion`. */
  source: tokenSourceSchema,
})

/** A way to tokens without the authorization page, as data without secrets. */
export const grantSettingsSchema = z.discriminatedUnion('kind', [
  clientCredentialsSchema,
  enterpriseManagedSchema,
  workloadIdentitySchema,
])
export type GrantSettings = z.infer<typeof grantSettingsSchema>
export type ClientCredentialsSettings = z.infer<typeof clientCredentialsSchema>
export type EnterpriseManagedSettings = z.infer<typeof enterpriseManagedSchema>
export type WorkloadIdentitySettings = z.infer<typeof workloadIdentitySchema>

/** Binds tokens to our own key (RFC 9449), so that a stolen one is of no use. */
export const dpopSettingsSchema = z.object({
  /** Default: ES256. */
  algorithm: z.enum(SIGNING_ALGORITHMS).optional(),
  /** Goes on with a token that the authorization server did not bind, as a bearer token. Default: false. */
  allowUnbound: z.boolean().optional(),
})
export type DpopSettings = z.infer<typeof dpopSettingsSchema>

/** The secrets that the user gives beside the settings, each kept under its name. */
export const GRANT_SECRETS = [
  'client_secret',
  'private_key',
  'idp_client_secret',
  'subject_token',
  'assertion',
] as const
export type GrantSecret = (typeof GRANT_SECRETS)[number]

/** Which secrets these settings need. */
export function secretsNeeded(settings: GrantSettings): readonly GrantSecret[] {
  const ofClient = ({ method }: GrantAuthentication, secret: GrantSecret): readonly GrantSecret[] =>
    method === 'secret' ? [secret] : method === 'private_key_jwt' ? ['private_key'] : []
  switch (settings.kind) {
    case 'client-credentials':
      return ofClient(settings.authentication, 'client_secret')
    case 'enterprise-managed': {
      const needed = [
        ...ofClient(settings.authentication, 'client_secret'),
        ...ofClient(settings.identityProvider.authentication, 'idp_client_secret'),
        ...(settings.subject.source.from === 'secret' ? (['subject_token'] as const) : []),
      ]
      return [...new Set(needed)]
    }
    case 'workload-identity':
      return settings.source.from === 'secret' ? ['assertion'] : []
  }
}

/** URLs that the user named in the settings: requests may go where they lead. */
export function urlsNamed(settings: GrantSettings): readonly URL[] {
  if (settings.kind !== 'enterprise-managed') return []
  const { issuer, tokenEndpoint } = settings.identityProvider
  return [new URL(issuer), ...(tokenEndpoint === undefined ? [] : [new URL(tokenEndpoint)])]
}
