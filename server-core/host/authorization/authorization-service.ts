import type { StepRequest } from '../../oauth/steps.ts'
import type { ClientAuthorization } from '../../ports/client-authorization.ts'
import type { Tap } from '../../ports/tap.ts'
import type { Approvable } from '../../profile/approvals.ts'
import type { SecretStore } from '../../profile/secret-store.ts'
import type { AuthorizationSettings, AuthorizationState, OAuthStep } from '../contract/authorization.ts'
import { HostError } from '../host-error.ts'
import { extensionsOf } from './extensions-of-settings.ts'
import { ServerAuthorization } from './server-authorization.ts'
import { StoredSettings } from './stored-settings.ts'

export type AuthorizationServiceOptions = {
  readonly secretStore: SecretStore
  /** Names an entry among all of the profile. */
  readonly keyOf: (serverId: string) => string
  readonly openUrl: (href: string) => Promise<void>
  /** Some state changed. */
  readonly changed: () => void
  readonly onSecret: (secret: string) => void
  /** Sees the requests of the authorization at a server, without secrets. */
  readonly tapOf: (serverId: string) => Tap
  /** What a server is reached at. @throws HostError `NOT_FOUND`; `NOT_APPROVED` if the user did not approve it */
  readonly target: (serverId: string) => Promise<Approvable>
  readonly connect: (serverId: string) => Promise<unknown>
}

/** The authorizations at all servers, by the server's id. */
export class AuthorizationService {
  readonly #options: AuthorizationServiceOptions
  readonly #byServer = new Map<string, ServerAuthorization>()

  constructor(options: AuthorizationServiceOptions) {
    this.#options = options
  }

  /** What a transport to this target takes; undefined where the user gave credentials, or none are sent. */
  async forTarget(serverId: string, target: Approvable): Promise<ClientAuthorization | undefined> {
    const url = urlOf(target)
    return url === undefined ? undefined : (await this.#of(serverId, url)).client
  }

  /** How each stands that there is. */
  states(): AuthorizationState[] {
    return [...this.#byServer.values()].map((each) => each.state())
  }

  async state(serverId: string): Promise<AuthorizationState> {
    return (await this.#find(serverId)).state()
  }

  async steps(serverId: string): Promise<OAuthStep[]> {
    return (await this.#find(serverId)).steps()
  }

  /** Begins; if it ends well, the server is connected. */
  async start(serverId: string, paused: boolean | undefined): Promise<AuthorizationState> {
    const authorization = await this.#find(serverId)
    if (paused !== undefined) authorization.pause(paused)
    this.#follow(serverId, authorization.start())
    return authorization.state()
  }

  async pause(serverId: string, paused: boolean): Promise<AuthorizationState> {
    return this.#changed(serverId, (authorization) => authorization.pause(paused))
  }

  async continue(
    serverId: string,
    stepId: string,
    request: StepRequest | undefined,
  ): Promise<AuthorizationState> {
    return this.#changed(serverId, (authorization) => authorization.continue(stepId, request))
  }

  async repeat(serverId: string, stepId: string): Promise<AuthorizationState> {
    return this.#changed(serverId, (authorization) => {
      const run = authorization.repeat(stepId)
      if (run !== undefined) this.#follow(serverId, run)
    })
  }

  async stop(serverId: string): Promise<AuthorizationState> {
    return this.#changed(serverId, (authorization) => authorization.stop())
  }

  async openAgain(serverId: string): Promise<AuthorizationState> {
    return this.#changed(serverId, (authorization) => authorization.openAgain())
  }

  async pasteCallback(serverId: string, address: string): Promise<AuthorizationState> {
    return this.#changed(serverId, (authorization) => authorization.pasteCallback(address))
  }

  async forget(serverId: string): Promise<AuthorizationState> {
    return this.#changed(serverId, (authorization) => authorization.forget())
  }

  async settings(serverId: string): Promise<AuthorizationSettings> {
    return this.#settingsOf(serverId).shown()
  }

  /** What was got with other settings is forgotten. */
  async saveSettings(serverId: string, settings: AuthorizationSettings): Promise<AuthorizationSettings> {
    const stored = this.#settingsOf(serverId)
    // A server that may not be called has got nothing yet.
    const authorization = await this.#find(serverId).catch(() => undefined)
    if (await stored.save(settings)) {
      // It keeps its place until all is forgotten: one made meanwhile would take up what is still there.
      await authorization?.forget()
      this.#byServer.delete(serverId)
      await authorization?.close()
      this.#options.changed()
    }
    return stored.shown()
  }

  /** Forgets all of a server that was removed; nobody is asked. */
  async discard(
    serverId: string,
    target: Pick<Approvable, 'transport'> & { readonly url?: string },
  ): Promise<void> {
    const url = target.url === undefined || !URL.canParse(target.url) ? undefined : target.url
    const authorization = url === undefined ? undefined : await this.#of(serverId, url)
    this.#byServer.delete(serverId)
    await authorization?.discard()
    if (url !== undefined) await this.#settingsOf(serverId).forget()
    this.#options.changed()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byServer.values()].map((authorization) => authorization.close()))
  }

  async #changed(
    serverId: string,
    change: (authorization: ServerAuthorization) => void | Promise<void>,
  ): Promise<AuthorizationState> {
    const authorization = await this.#find(serverId)
    await change(authorization)
    return authorization.state()
  }

  /** The states tell the result. */
  #follow(serverId: string, run: Promise<void>): void {
    run.then(() => this.#options.connect(serverId)).catch(() => this.#options.changed())
  }

  /** @throws HostError `INVALID_ENTRY` if this server takes no part in it */
  async #find(serverId: string): Promise<ServerAuthorization> {
    const target = await this.#options.target(serverId)
    const url = urlOf(target)
    if (url !== undefined) return this.#of(serverId, url)
    throw new HostError('INVALID_ENTRY', whyNot(target))
  }

  async #of(serverId: string, url: string): Promise<ServerAuthorization> {
    const known = this.#byServer.get(serverId)
    if (known?.url === url) return known
    const stored = this.#settingsOf(serverId)
    const settings = await stored.read()
    const { secretStore, keyOf, openUrl, changed, onSecret, tapOf } = this.#options
    const made = new ServerAuthorization({
      serverId,
      url,
      owner: keyOf(serverId),
      secretStore,
      settings,
      ...(await extensionsOf(settings, stored.secrets)),
      openUrl,
      changed,
      tap: tapOf(serverId),
      onSecret,
    })
    const meanwhile = this.#byServer.get(serverId)
    if (meanwhile?.url === url) return meanwhile
    this.#byServer.set(serverId, made)
    // What was got for another address is of no use at this one.
    await meanwhile?.discard()
    // A failure to read is reported when a request needs it.
    await made.client.load().catch(() => undefined)
    return made
  }

  #settingsOf(serverId: string): StoredSettings {
    return new StoredSettings(this.#options.secretStore, this.#options.keyOf(serverId))
  }
}

/** Why there is no authorization at a server, and how to change that. */
function whyNot(target: Approvable): string {
  if (target.transport === 'stdio') return 'Authorization is for servers that are reached over the network.'
  if (target.bearerToken !== undefined)
    return 'This server has a bearer token. Remove it from the server’s settings to authorize instead.'
  if (hasCredentials(target))
    return 'This server has an Authorization header. Remove it from the server’s settings to authorize instead.'
  return `Authorization is for http, https, ws and wss addresses; this server has ${target.url}.`
}

function hasCredentials(target: Exclude<Approvable, { transport: 'stdio' }>): boolean {
  if (target.bearerToken !== undefined) return true
  return target.headers.some(({ name }) => name.toLowerCase() === 'authorization')
}

function urlOf(target: Approvable): string | undefined {
  if (target.transport === 'stdio' || hasCredentials(target)) return undefined
  return /^(https?|wss?):/i.test(target.url) && URL.canParse(target.url) ? target.url : undefined
}
