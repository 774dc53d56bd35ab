import { createClientAuthorization, type OAuthAuthorization } from '../../oauth/client-authorization.ts'
import { OAuthError } from '../../oauth/oauth-error.ts'
import type { Grant, TokenPresentation } from '../../oauth/grant.ts'
import type { GateAnswer, OAuthStep, StepRequest } from '../../oauth/steps.ts'
import type { Tap } from '../../ports/tap.ts'
import type { SecretStore } from '../../profile/secret-store.ts'
import type { AuthorizationState } from '../contract/authorization.ts'
import { HostError } from '../host-error.ts'
import { networkOf } from './extensions-of-settings.ts'
import { StepFrames } from './step-frames.ts'
import type { UsedSettings } from './stored-settings.ts'

/** Steps that are kept to be shown. */
const KEPT_STEPS = 200

export type ServerAuthorizationOptions = {
  readonly serverId: string
  readonly url: string
  /** Names the entry among all of the profile. */
  readonly owner: string
  readonly secretStore: SecretStore
  readonly settings: UsedSettings
  /** The grant of the settings, with its secrets. */
  readonly grant: Grant | undefined
  readonly presentation: TokenPresentation | undefined
  /** Opens a page in the user's browser. */
  readonly openUrl: (href: string) => Promise<void>
  readonly changed: () => void
  /** Sees the requests of the authorization, without secrets. */
  readonly tap: Tap
  /** Learns of each secret, so that it is masked wherever it turns up. */
  readonly onSecret: (secret: string) => void
}

type PausedStep = { readonly step: OAuthStep; readonly release: (answer: GateAnswer) => void }

/** The authorization at one server as people see and steer it: how it stands, its steps, and the gate before each. */
export class ServerAuthorization {
  readonly url: string
  readonly client: OAuthAuthorization
  readonly #options: ServerAuthorizationOptions
  readonly #steps = new Map<string, OAuthStep>()
  readonly #frames: StepFrames
  #changes = 0
  #isPaused = false
  #pausedStep: PausedStep | undefined

  constructor(options: ServerAuthorizationOptions) {
    this.#options = options
    this.url = options.url
    this.#frames = new StepFrames(options.tap)
    const { url, owner, secretStore, openUrl, changed, onSecret, grant, presentation } = options
    const { grant: _grant, dpop: _dpop, ...settings } = options.settings
    this.client = createClientAuthorization({
      serverUrl: url,
      store: secretStore,
      owner,
      network: networkOf(url, options.settings),
      settings,
      ...(grant === undefined ? {} : { grant }),
      ...(presentation === undefined ? {} : { presentation }),
      // Whoever connects has not asked for a browser yet; `start` is that.
      mayAskUser: () => false,
      openBrowser: async (href) => {
        // Where there is no browser, the user opens or copies the address that the state names.
        await openUrl(href).catch(() => undefined)
        return undefined
      },
      onStep: (step) => this.#note(step),
      gate: (step) => this.#hold(step),
      onChange: changed,
      onSecret,
    })
  }

  state(): AuthorizationState {
    const { scopes, ...facts } = this.client.facts()
    const waitingFor =
      this.#pausedStep !== undefined ? 'gate' : facts.authorizationUrl === undefined ? undefined : 'browser'
    return {
      serverId: this.#options.serverId,
      ...facts,
      ...(scopes === undefined ? {} : { scopes: [...scopes] }),
      ...(facts.status === 'authorizing' && waitingFor !== undefined && { waitingFor }),
      paused: this.#isPaused,
      stepCount: this.#steps.size,
      stepChanges: this.#changes,
    }
  }

  steps(): OAuthStep[] {
    return [...this.#steps.values()]
  }

  /** Holds before each request from now on, or lets those that are held go on. */
  pause(paused: boolean): void {
    this.#isPaused = paused
    if (!paused) this.#release({ action: 'continue' })
    this.#options.changed()
  }

  /** @throws HostError `NOT_FOUND` if no such step is held */
  continue(stepId: string, request: StepRequest | undefined): void {
    if (this.#pausedStep?.step.id !== stepId) {
      throw new HostError('NOT_FOUND', 'That step does not wait any more. Look at the newest one.')
    }
    this.#release({ action: 'continue', ...(request === undefined ? {} : { request }) })
  }

  /** Runs an authorization for the user, from the beginning. Rejects with an `OAuthError`. */
  async start(): Promise<void> {
    await this.client.authorize()
  }

  /** Goes back to a step and on from there; undefined if one that is held goes back, which its own run does. */
  repeat(stepId: string): Promise<void> | undefined {
    if (this.#pausedStep === undefined) return this.client.repeat(stepId)
    this.#release({ action: 'repeat', stepId })
    return undefined
  }

  async stop(): Promise<void> {
    this.#release({ action: 'stop' })
    await this.client.stop()
  }

  async openAgain(): Promise<void> {
    const { authorizationUrl } = this.client.facts()
    if (authorizationUrl === undefined) {
      throw new HostError('NOT_FOUND', 'No page is waited for now. Start the authorization first.')
    }
    await this.client.openAgain()
  }

  /** @throws HostError `REFUSED` if it is not the answer that is waited for */
  pasteCallback(address: string): void {
    try {
      this.client.pasteCallback(address)
    } catch (error) {
      if (error instanceof OAuthError) throw new HostError('REFUSED', error.message, { cause: error })
      throw error
    }
  }

  async forget(): Promise<void> {
    await this.stop()
    await this.client.forget()
  }

  /** Forgets everything without asking anybody, and ends. */
  async discard(): Promise<void> {
    await this.close()
    await this.client.discard()
  }

  async close(): Promise<void> {
    this.#release({ action: 'stop' })
    await this.client.close()
  }

  #note(step: OAuthStep): void {
    this.#steps.set(step.id, step)
    this.#frames.note(step)
    const [oldest] = this.#steps.keys()
    if (oldest !== undefined && this.#steps.size > KEPT_STEPS) this.#steps.delete(oldest)
    this.#changes += 1
    this.#options.changed()
  }

  #hold(step: OAuthStep): Promise<GateAnswer> {
    if (!this.#isPaused) return Promise.resolve({ action: 'continue' })
    const answer = Promise.withResolvers<GateAnswer>()
    this.#pausedStep = { step, release: answer.resolve }
    this.#options.changed()
    return answer.promise
  }

  #release(answer: GateAnswer): void {
    const pausedStep = this.#pausedStep
    this.#pausedStep = undefined
    pausedStep?.release(answer)
  }
}
