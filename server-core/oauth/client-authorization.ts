import { mayOpen } from '../network/guarded-opener.ts'
import type { AccessRefusal, AuthorizedRequest, ClientAuthorization } from '../ports/client-authorization.ts'
import { challengeOf, challengeWords, NO_CHALLENGE, type Challenge } from './challenge.ts'
import type { AuthorizationFacts, ClientAuthorizationOptions } from './client-authorization-options.ts'
import { Credentials } from './credentials.ts'
import { startOfFlow, type FlowStart, type FlowState, type Tokens } from './flow-state.ts'
import type { FlowParts } from './flow-parts.ts'
import { OAuthError } from './oauth-error.ts'
import { RedirectReceiver } from './redirect-receiver.ts'
import { StepLog } from './step-log.ts'
import { StepUps } from './step-ups.ts'

export type { AuthorizationFacts, ClientAuthorizationOptions } from './client-authorization-options.ts'

/** Milliseconds before its end from which a token is renewed; a quarter of what is left, if that is less. */
const RENEW_BEFORE_MS = 30_000
/** Milliseconds for which a renewal that failed is not tried again by itself. */
const PAUSE_MS = 30_000
/** Milliseconds that a user has in the browser. */
const USER_MS = 600_000
const NO_HEADERS: Readonly<Record<string, string>> = {}

type Run = { readonly done: Promise<void>; readonly stop: AbortController; readonly mayAskUser: boolean }
type Trouble = { readonly status: 'needed' | 'failed'; readonly reason: string }

/** Authorizes a transport to call one server by OAuth (specification: Authorization). */
export function createClientAuthorization(options: ClientAuthorizationOptions): OAuthAuthorization {
  return new OAuthAuthorization(options)
}

/**
 * The authorization at one server, over all its connections: keeps its tokens, sends them nowhere else, renews them,
 * and runs an authorization when the server asks for one. However many requests wait for it, there is one at a time.
 */
export class OAuthAuthorization implements ClientAuthorization {
  readonly #options: ClientAuthorizationOptions
  readonly #serverUrl: string
  readonly #origin: string
  readonly #credentials: Credentials
  readonly #log: StepLog
  readonly #receiver = new RedirectReceiver()
  readonly #stepUps = new StepUps()
  #loading: Promise<void> | undefined
  #tokens: Tokens | undefined
  #headers: Readonly<Record<string, string>> = NO_HEADERS
  /** The server took this token once, or it was got by another run of this program. */
  #proven = true
  /** What the next authorization begins with, if nothing else is asked for. */
  #start: FlowStart | undefined
  #state: FlowState | undefined
  #run: Run | undefined
  #trouble: Trouble | undefined
  /** Milliseconds since 1970. */
  #renewAt = Infinity
  #quietAt = 0

  constructor(options: ClientAuthorizationOptions) {
    this.#options = options
    this.#serverUrl = httpUrlOf(options.serverUrl)
    this.#origin = new URL(this.#serverUrl).origin
    this.#credentials = new Credentials(options.store, options.owner, this.#serverUrl)
    this.#log = new StepLog({
      network: options.network,
      onStep: options.onStep,
      gate: options.gate,
      onSecret: options.onSecret,
    })
  }

  async headers(request: AuthorizedRequest): Promise<Readonly<Record<string, string>>> {
    if (!this.#isServer(request.url)) return NO_HEADERS
    await this.#load()
    if (Date.now() >= this.#renewAt) await this.#renewQuietly()
    const tokens = this.#tokens
    if (tokens === undefined) return NO_HEADERS
    return this.#options.presentation?.headers(request, tokens) ?? this.#headers
  }

  responded(headers: Readonly<Record<string, string>>, status: number): void {
    if (status < 400) this.#proven = true
    this.#options.presentation?.responded(headers)
  }

  async challenged(refusal: AccessRefusal): Promise<boolean> {
    const { status, headers, sent } = refusal
    if (!this.#isServer(refusal.url)) return false
    if (this.#options.presentation?.challenged(refusal) === true) return true
    const challenge = challengeOf(headers)
    if (status === 403 && challenge.error !== 'insufficient_scope') return false
    await this.#load()
    const token = this.#tokens?.accessToken
    const wasSent = sent?.['authorization'] ?? ''
    // Since this request went out there came a newer token.
    if (sent !== undefined && token !== undefined && !wasSent.endsWith(token)) return true
    if (this.#run === undefined) this.#recordChallenge(challenge, status)
    await this.#authorize(
      status === 403 ? this.#stepUp(challenge) : this.#again(challenge),
      this.#options.mayAskUser(),
    )
    return true
  }

  /**
   * Runs an authorization for the user: the one that the server asked for, or from the beginning. Resolves when there
   * is a token; throws an `OAuthError`.
   */
  authorize(): Promise<void> {
    const run = this.#run
    if (run?.mayAskUser === true) return run.done
    return this.#begin(() => this.#beginning(), true, run?.done)
  }

  /** Goes on from a state that `state` gave, perhaps in another process. As `authorize`. */
  resume(state: FlowState): Promise<void> {
    return this.#begin(() => state, true, this.#stopRun())
  }

  /** Goes back to a step and on from there, as it was then. As `authorize`. */
  async repeat(stepId: string): Promise<void> {
    const state = this.#log.stateBefore(stepId)
    if (state !== undefined) return this.resume(state)
    throw new OAuthError('stopped', 'That step cannot be repeated any more. Start again.')
  }

  /** Where the authorization under way stands: JSON that holds secrets. */
  state(): FlowState | undefined {
    return this.#state
  }

  /** Completes the flow with the address that the browser was redirected to. Throws an `OAuthError` if it is invalid. */
  pasteCallback(address: string): void {
    this.#receiver.paste(address)
  }

  /** Opens the page that is waited for again. */
  async openAgain(): Promise<void> {
    const { authorizationUrl } = this.facts()
    const opening = authorizationUrl === undefined ? undefined : mayOpen(authorizationUrl)
    if (opening?.ok === true) await this.#options.openBrowser?.(opening.href)
  }

  /** Cancels the authorization under way. */
  async stop(): Promise<void> {
    await this.#stopRun()
  }

  /** Forgets tokens and registrations, and revokes them if the authorization server supports that. */
  async forget(): Promise<void> {
    await this.#load()
    await this.#stopRun()
    const tokens = this.#tokens
    if (tokens !== undefined) {
      const { revokeTokens } = await import('./revocation.ts')
      const state = this.#state?.next === 'done' ? this.#state : undefined
      await revokeTokens(
        tokens,
        state,
        this.#beginning(),
        await this.#parts(false, new AbortController().signal),
      )
    }
    await this.#credentials.forget()
    this.#log.note('credentials', 'Tokens and registrations were forgotten.', 'The user asked for it.')
    this.#use(undefined, true)
    this.#state = undefined
    this.#trouble = undefined
    this.#start = undefined
    this.#stepUps.clear()
    this.#options.onChange?.()
  }

  /** Forgets everything that is kept, and asks nobody. */
  async discard(): Promise<void> {
    await this.#stopRun()
    await this.#credentials.forget()
    this.#use(undefined, true)
  }

  facts(): AuthorizationFacts {
    const state = this.#state
    const tokens = this.#tokens
    const { redirectUri } = this.#receiver
    const status =
      this.#run !== undefined
        ? 'authorizing'
        : (this.#trouble?.status ?? (tokens === undefined ? 'none' : 'authorized'))
    const known = state !== undefined && 'client' in state ? state.client : undefined
    const clientId = known?.clientId ?? tokens?.clientId
    const issuer = state !== undefined && 'server' in state ? state.server.issuer : tokens?.issuer
    const resource = state !== undefined && 'resource' in state ? state.resource.resource : tokens?.resource
    return {
      status,
      ...(this.#run === undefined && this.#trouble !== undefined && { reason: this.#trouble.reason }),
      ...(this.#run !== undefined && state?.next === 'callback' && { authorizationUrl: state.pending.url }),
      ...(this.#run !== undefined && redirectUri !== undefined && { redirectUri }),
      ...(issuer !== undefined && { issuer }),
      ...(resource !== undefined && { resource }),
      ...(clientId !== undefined && clientId !== '' && { clientId }),
      ...(known !== undefined && { clientKind: known.kind }),
      ...(tokens !== undefined && { scopes: tokens.scopes, refreshable: tokens.refreshToken !== undefined }),
      ...(tokens?.expiresAt !== undefined && { expiresAt: tokens.expiresAt }),
    }
  }

  /** Reads what is stored, so that `facts` knows it. */
  async load(): Promise<void> {
    await this.#load()
    this.#options.onChange?.()
  }

  /** Ends everything that runs; tokens stay where they are kept. */
  async close(): Promise<void> {
    await this.#stopRun()
    await this.#receiver.close()
  }

  /** A token goes to the server that the user named, and nowhere else. */
  #isServer(url: string): boolean {
    const { protocol, host } = new URL(url)
    return `${protocol.replace(/^ws/, 'http')}//${host}` === this.#origin
  }

  #load(): Promise<void> {
    this.#loading ??= this.#credentials.latest().then(
      (tokens) => {
        if (tokens !== undefined && this.#tokens === undefined) this.#use(tokens, true)
      },
      (error: unknown) => {
        this.#loading = undefined
        throw error
      },
    )
    return this.#loading
  }

  #use(tokens: Tokens | undefined, proven: boolean): void {
    this.#tokens = tokens
    this.#proven = proven
    this.#headers = tokens === undefined ? NO_HEADERS : { authorization: `Bearer ${tokens.accessToken}` }
    this.#renewAt = Infinity
    if (tokens === undefined) return
    if (tokens.expiresAt !== undefined) {
      this.#renewAt =
        tokens.expiresAt - Math.min(RENEW_BEFORE_MS, Math.max(0, tokens.expiresAt - Date.now()) / 4)
    }
    this.#log.mask.learn('access_token', tokens.accessToken)
    if (tokens.refreshToken !== undefined) this.#log.mask.learn('refresh_token', tokens.refreshToken)
  }

  #beginning(): FlowState {
    if (this.#start !== undefined) return startOfFlow(this.#start)
    const known = this.#tokens === undefined ? {} : { challenge: this.#unasked() }
    return startOfFlow({ serverUrl: this.#serverUrl, ...known })
  }

  /** Stands for the challenge where none came: the metadata is where it was. */
  #unasked(): Challenge {
    const { resourceMetadata } = this.#tokens ?? {}
    return resourceMetadata === undefined ? NO_CHALLENGE : { ...NO_CHALLENGE, resourceMetadata }
  }

  #recordChallenge(challenge: Challenge, status: number): void {
    const words = challengeWords(challenge)
    const what = status === 403 ? 'more than was granted' : 'authorization'
    this.#log.note(
      'challenge',
      `The server asks for ${what} (HTTP ${status})${words === '' ? ', and names nothing' : `: ${words}`}.`,
      this.#tokens === undefined
        ? 'The request was sent without a token.'
        : 'The request was sent with a token.',
    )
  }

  /** What follows from a 401. */
  #again(challenge: Challenge): FlowState {
    this.#start = { serverUrl: this.#serverUrl, challenge }
    if (this.#tokens !== undefined && !this.#proven && this.#run === undefined) {
      throw this.#failed(
        new OAuthError(
          'refused',
          `The server refuses the token that ${this.#tokens.issuer} issued for it just now${challenge.errorDescription === undefined ? '' : `: ${challenge.errorDescription}`}. Server and authorization server do not agree; another try would not help.`,
        ),
      )
    }
    return this.#beginning()
  }

  /** What follows from a 403 that names scopes. */
  #stepUp(challenge: Challenge): FlowState {
    const granted = this.#tokens?.scopes ?? []
    this.#proven = true
    if (this.#run === undefined) {
      try {
        this.#stepUps.check(challenge, granted)
      } catch (error) {
        throw this.#failed(error)
      }
      if (this.#options.mayAskUser()) this.#stepUps.count(challenge, granted)
    }
    this.#start = { serverUrl: this.#serverUrl, challenge, earlierScopes: granted, mayRefresh: false }
    return startOfFlow(this.#start)
  }

  async #renewQuietly(): Promise<void> {
    const mayBe = this.#tokens?.refreshToken !== undefined || this.#options.grant !== undefined
    if (!mayBe || performance.now() < this.#quietAt) return
    try {
      await this.#authorize(startOfFlow({ serverUrl: this.#serverUrl, challenge: this.#unasked() }), false)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      // The server has the last word: the old token may still be valid, and its rejection comes with a reason.
      this.#quietAt = performance.now() + PAUSE_MS
    }
  }

  /** Runs one authorization, or waits for the one that runs. */
  #authorize(from: FlowState, mayAskUser: boolean): Promise<void> {
    return this.#run?.done ?? this.#begin(() => from, mayAskUser)
  }

  /** Runs an authorization once `before` is over, whatever came of that. */
  #begin(from: () => FlowState, mayAskUser: boolean, before?: Promise<void>): Promise<void> {
    const stop = new AbortController()
    const work = async (): Promise<void> => {
      await before?.catch(() => undefined)
      await this.#load()
      await this.#flow(from(), mayAskUser, stop.signal)
    }
    const done = work().finally(() => {
      if (this.#run === run) this.#run = undefined
      this.#options.onChange?.()
    })
    const run: Run = { done, stop, mayAskUser }
    this.#run = run
    this.#options.onChange?.()
    return done
  }

  async #flow(from: FlowState, mayAskUser: boolean, signal: AbortSignal): Promise<void> {
    // Another process may have renewed it meanwhile.
    const stored = from.next === 'resource' && from.mayRefresh ? await this.#credentials.latest() : undefined
    if (
      stored !== undefined &&
      this.#tokens !== undefined &&
      stored.accessToken !== this.#tokens.accessToken
    ) {
      this.#log.note('credentials', 'A newer token is there already.', 'Another process of Patchbay got it.')
      this.#use(stored, false)
      this.#trouble = undefined
      return
    }
    const { runFlow } = await import('./flow.ts')
    try {
      const end = await runFlow(from, await this.#parts(mayAskUser, signal), (state) => {
        this.#state = state
        this.#options.onChange?.()
      })
      this.#use(end.tokens, false)
      this.#trouble = undefined
      this.#quietAt = 0
    } catch (error) {
      throw this.#failed(error)
    } finally {
      await this.#receiver.close()
    }
  }

  #failed(error: unknown): unknown {
    const reason = error instanceof Error ? this.#log.mask.text(error.message) : String(error)
    const isNeeded =
      error instanceof OAuthError && (error.code === 'user-needed' || error.code === 'not-offered')
    this.#trouble = { status: isNeeded ? 'needed' : 'failed', reason }
    return error
  }

  async #parts(mayAskUser: boolean, signal: AbortSignal): Promise<FlowParts> {
    const {
      settings = {},
      clientName = 'Patchbay',
      revision,
      grant,
      presentation,
      openBrowser,
      userMs,
    } = this.#options
    if (settings.clientSecret !== undefined) this.#log.mask.learn('client_secret', settings.clientSecret)
    return Promise.resolve({
      log: this.#log,
      credentials: this.#credentials,
      settings,
      clientName,
      revision,
      grant,
      presentation,
      mayAskUser,
      receiver: this.#receiver,
      openBrowser: openBrowser ?? (() => Promise.resolve(undefined)),
      userMs: userMs ?? USER_MS,
      signal,
    })
  }

  async #stopRun(): Promise<void> {
    const run = this.#run
    if (run === undefined) return
    run.stop.abort()
    await run.done.catch(() => undefined)
  }
}

/** The address for requests over HTTP: metadata of a WebSocket's server is found as if it were there. */
function httpUrlOf(serverUrl: string): string {
  return new URL(serverUrl.replace(/^ws(s?):/i, 'http$1:')).href
}
