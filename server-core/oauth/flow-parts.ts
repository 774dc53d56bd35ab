import type { Credentials } from './credentials.ts'
import type { Grant, TokenPresentation } from './grant.ts'
import type { RedirectReceiver } from './redirect-receiver.ts'
import type { StepLog } from './step-log.ts'

/** What a user, or the program, sets for the authorization at one server. */
export type ClientSettings = {
  /** Chooses one of the authorization servers that the server names. */
  readonly issuer?: string | undefined
  /** A client that was registered by hand, at `issuer` if that is set. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** The https address of this client's metadata document, which is its client id where such ids are taken. */
  readonly clientMetadataUrl?: string | undefined
  /** Asked for in place of what the server names. */
  readonly scopes?: readonly string[] | undefined
  /** The port of the redirect address, where a registration names one. */
  readonly redirectPort?: number | undefined
  /** Goes on where the metadata of the authorization server does not say that it knows PKCE. */
  readonly allowUndeclaredPkce?: boolean | undefined
}

/** What the steps of an authorization work with. */
export type FlowParts = {
  readonly log: StepLog
  readonly credentials: Credentials
  readonly settings: ClientSettings
  /** How this client calls itself in a registration and on the page that the browser ends at. */
  readonly clientName: string
  /** For `MCP-Protocol-Version` of metadata requests. */
  readonly revision: string | undefined
  readonly grant: Grant | undefined
  readonly presentation: TokenPresentation | undefined
  /** True while the user has asked for it; otherwise nothing is registered and no page is opened. */
  readonly mayAskUser: boolean
  /** Receives the browser's redirect; opened when it is needed. */
  readonly receiver: RedirectReceiver
  /** Leads the user to a page. May give the address that the user was sent back to, if it knows it. */
  readonly openBrowser: (url: string) => Promise<string | undefined>
  /** Milliseconds that the user has to come back. */
  readonly userMs: number
  readonly signal: AbortSignal
}
