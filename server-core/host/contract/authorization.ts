import { oc } from '@orpc/contract'
import { z } from 'zod'
import { dpopSettingsSchema, GRANT_SECRETS, grantSettingsSchema } from '../../oauth/grants/settings.ts'
import type { OAuthStep, StepRequest, StepResponse } from '../../oauth/steps.ts'

export type { OAuthStep, StepRequest, StepResponse } from '../../oauth/steps.ts'

/** A request as it is shown and edited: `⟨client_secret⟩` stands for that secret, and stays if it is left there. */
export const stepRequestSchema = z.object({
  method: z.enum(['GET', 'POST']),
  url: z.string().max(16_384),
  headers: z.record(z.string(), z.string()),
  body: z.string().max(262_144).optional(),
}) satisfies z.ZodType<StepRequest>

const stepResponseSchema = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
}) satisfies z.ZodType<StepResponse>

/** One step; `OAuthStep` says what its members mean. */
export const oauthStepSchema = z.object({
  id: z.string(),
  at: z.number(),
  kind: z.enum([
    'challenge',
    'resource-metadata',
    'authorization-server',
    'server-metadata',
    'client',
    'registration',
    'scopes',
    'authorization-request',
    'callback',
    'token',
    'refresh',
    'assertion',
    'credentials',
    'revocation',
  ]),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  request: stepRequestSchema.optional(),
  response: stepResponseSchema.optional(),
  decision: z.string(),
  why: z.string(),
  edited: z.literal(true).optional(),
  durationMs: z.number().optional(),
}) satisfies z.ZodType<OAuthStep>

/** How the authorization at one server stands. */
export const authorizationStateSchema = z.object({
  serverId: z.string(),
  /**
   * `none`: not requested. `needed`: the server requires it and the user must begin (`start`).
   * `authorizing`: under way. `authorized`: there is a token. `failed`: `start` tries again.
   */
  status: z.enum(['none', 'needed', 'authorizing', 'authorized', 'failed']),
  /** Why it is needed, or why it failed; one or two sentences. */
  reason: z.string().optional(),
  /** Stops before each request and waits for `continue`. */
  paused: z.boolean(),
  /** What an authorization under way waits for: the user at the gate, or the user's answer in the browser. */
  waitingFor: z.enum(['gate', 'browser']).optional(),
  /** The page that the user has to visit, while it waits for the browser: to be opened again or copied. */
  authorizationUrl: z.string().optional(),
  /** Where the browser is sent afterwards; a user without a browser here pastes that address (`pasteCallback`). */
  redirectUri: z.string().optional(),
  issuer: z.string().optional(),
  resource: z.string().optional(),
  clientId: z.string().optional(),
  /** How this client is known to the authorization server. */
  clientKind: z.enum(['pre-registered', 'metadata-document', 'dynamic', 'grant']).optional(),
  scopes: z.array(z.string()).optional(),
  /** Milliseconds since 1970. Missing: the authorization server named no end. */
  expiresAt: z.number().optional(),
  /** It is renewed without the user. */
  refreshable: z.boolean().optional(),
  /** How many steps `steps` gives, and a number that grows with each change of them. */
  stepCount: z.number(),
  stepChanges: z.number(),
})
export type AuthorizationState = z.infer<typeof authorizationStateSchema>

/** A secret: `kept` stands for the one that is stored, when it is shown and when it is given back. */
const secretFieldSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('kept') }),
  z.object({ state: z.literal('new'), value: z.string().min(1).max(65_536) }),
])

/** What a user may set; all of it is kept in the secret store. A member that is empty is not set. */
export const authorizationSettingsSchema = z.object({
  /** Chooses one of the authorization servers that the server names. */
  issuer: z.string().max(2_048).optional(),
  /** The id of a client that was registered by hand. */
  clientId: z.string().max(2_048).optional(),
  /** Its secret. */
  clientSecret: secretFieldSchema.optional(),
  /** The https address of a client id metadata document, which is the client id then. */
  clientMetadataUrl: z.string().max(2_048).optional(),
  /** Asks for these instead of what the server names. */
  scopes: z.array(z.string().min(1)).max(100).optional(),
  /** The port of the redirect address, where a registration names one; any free port otherwise. */
  redirectPort: z.number().int().min(1).max(65_535).optional(),
  /** Goes on with an authorization server that does not say that it knows PKCE. */
  allowUndeclaredPkce: z.boolean().optional(),
  /** A way to tokens without the authorization page, in place of it. */
  grant: grantSettingsSchema.optional(),
  /** The secrets that the grant needs (`secretsNeeded`), by name. */
  grantSecrets: z.partialRecord(z.enum(GRANT_SECRETS), secretFieldSchema).optional(),
  /** Binds tokens to our own key. */
  dpop: dpopSettingsSchema.optional(),
})
export type AuthorizationSettings = z.infer<typeof authorizationSettingsSchema>

const server = z.object({ serverId: z.string() })

/**
 * The authorization at servers over the network. States come with `events.watch` too (`authorizations`: of every
 * server, if any changed); when `stepChanges` of one grows, its steps are fetched again.
 */
export const authorizationContract = {
  state: oc.input(server).output(authorizationStateSchema),
  /** Oldest first; those of earlier attempts too, 200 at most. */
  steps: oc.input(server).output(z.array(oauthStepSchema)),
  /**
   * Begins, and opens the user's browser when it comes to that. Resolves when it has begun; the states tell the rest.
   * If it ends well, the server is connected.
   */
  start: oc.input(server.extend({ paused: z.boolean().optional() })).output(authorizationStateSchema),
  /** Holds before each request from now on, or lets it run. */
  pause: oc.input(server.extend({ paused: z.boolean() })).output(authorizationStateSchema),
  /** Goes on with the step that waits at the gate, with its request changed if one is given. */
  continue: oc
    .input(server.extend({ stepId: z.string(), request: stepRequestSchema.optional() }))
    .output(authorizationStateSchema),
  /** Goes back to that step and on from there, with what was known then. Holds at its request if paused. */
  repeat: oc.input(server.extend({ stepId: z.string() })).output(authorizationStateSchema),
  /** Cancels the attempt under way. */
  stop: oc.input(server).output(authorizationStateSchema),
  /** Opens the authorization page in the user's browser again. */
  openAgain: oc.input(server).output(authorizationStateSchema),
  /** Completes the authorization with the address that the browser was sent to, if it could not reach this machine. */
  pasteCallback: oc.input(server.extend({ url: z.string().max(16_384) })).output(authorizationStateSchema),
  /** Forgets tokens and registration, and tells the authorization server if it takes that. Settings stay. */
  forget: oc.input(server).output(authorizationStateSchema),
  settings: oc.input(server).output(authorizationSettingsSchema),
  /** Replaces them; what was got with others is forgotten. */
  saveSettings: oc
    .input(server.extend({ settings: authorizationSettingsSchema }))
    .output(authorizationSettingsSchema),
}
