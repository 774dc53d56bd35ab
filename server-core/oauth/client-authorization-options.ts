import type { SecretStore } from '../profile/secret-store.ts'
import type { AuthorityFetch } from './authority-fetch.ts'
import type { ClientIdentity } from './flow-state.ts'
import type { ClientSettings } from './flow-parts.ts'
import type { Grant, TokenPresentation } from './grant.ts'
import type { Gate, OAuthStep } from './steps.ts'

export type ClientAuthorizationOptions = {
  /** The URL of the MCP server, as the user wrote it. */
  readonly serverUrl: string
  readonly store: SecretStore
  /** Whose credentials they are, in our own words; two owners share none. */
  readonly owner: string
  /** The guarded fetch: every request of an authorization goes through it. */
  readonly network: AuthorityFetch
  readonly clientName?: string
  readonly settings?: ClientSettings
  /** For `MCP-Protocol-Version` of metadata requests. */
  readonly revision?: string
  /** Gets tokens without a user, in place of the authorization page. */
  readonly grant?: Grant
  readonly presentation?: TokenPresentation
  /**
   * Leads the user to a page, whose address was checked to be https (or http on this machine). May give the address
   * that the browser was sent back to, if it knows it. Without it the user opens `facts().authorizationUrl`.
   */
  readonly openBrowser?: (url: string) => Promise<string | undefined>
  /** Whether the user is there and wants it; if not, what needs the user fails with `user-needed`. */
  readonly mayAskUser: () => boolean
  readonly onStep?: (step: OAuthStep) => void
  readonly gate?: Gate
  /** Learns of each secret once, so that it can be masked elsewhere too. */
  readonly onSecret?: (secret: string) => void
  /** Something in `facts` changed. */
  readonly onChange?: () => void
  /** Default: 10 minutes. */
  readonly userMs?: number
}

/** How an authorization stands, for people. No secret is in it. */
export type AuthorizationFacts = {
  readonly status: 'none' | 'needed' | 'authorizing' | 'authorized' | 'failed'
  readonly reason?: string
  /** The page that the user has to visit, while it is waited for. */
  readonly authorizationUrl?: string
  readonly redirectUri?: string
  readonly issuer?: string
  readonly resource?: string
  readonly clientId?: string
  readonly clientKind?: ClientIdentity['kind']
  readonly scopes?: readonly string[]
  readonly expiresAt?: number
  readonly refreshable?: boolean
}
