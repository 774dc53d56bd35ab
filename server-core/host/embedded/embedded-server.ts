import { randomBytes } from 'node:crypto'
import type { NamedToken } from '../../listener/bearer-token.ts'
import type { Approvable } from '../../profile/approvals.ts'
import type { DocumentFile } from '../../workspace/document-file.ts'
import type { SecretStore } from '../../profile/secret-store.ts'
import type { SettingsDocument } from '../../profile/settings.ts'
import type { EmbeddedState } from '../contract/app.ts'
import { freePort } from '../free-port.ts'
import { isUnreadableSecret, StorageError } from '../../workspace/storage-error.ts'
import { HostError } from '../host-error.ts'
import { portHolder } from '../port-holder.ts'

/** A listener on loopback that serves the embedded server. */
export type Listener = {
  /** The whole address of the MCP endpoint. */
  readonly url: string
  readonly port: number
  /** Connected clients, Patchbay's own connection not counted. */
  otherClients(): number
  /** Ends what callers have open that the token of now does not admit. */
  endUnadmitted(): void
  close(): Promise<void>
}

/** Listens on a port of 127.0.0.1. Gives undefined if the port is taken or not ours to use. */
export type Listen = (port: number, tokens: () => readonly NamedToken[]) => Promise<Listener | undefined>

export type EmbeddedOptions = {
  readonly settings: DocumentFile<SettingsDocument>
  readonly secretStore: SecretStore
  /** A port for this run only, in place of the stored one; 0 means any. */
  readonly mcpPort?: number
  readonly listen: Listen
  /** Clients that have a token of their own, where a token is required. */
  readonly namedTokens?: readonly NamedToken[]
  /** Headers by which our own client is known. */
  readonly ownHeaders: readonly { readonly name: string; readonly value: string }[]
  /** Its state changed. */
  readonly onChange: () => void
}

/** The port of the first start. */
const USUAL_PORT = 4040

const TOKEN_KEY = 'embedded/token'
/** Milliseconds between two counts of the connected clients. */
const COUNT_MS = 1_000

/**
 * The server that Patchbay itself hosts: on loopback, at a port that stays the same from start to start. Clients need a
 * token unless the user switched that off: every account of the machine can reach a port on loopback. If the stored port is taken, the state names who holds it and a free one.
 */
export class EmbeddedServer {
  readonly #options: EmbeddedOptions
  #listener: Listener | undefined
  #port = 0
  #taken: { readonly by: string | undefined; readonly offered: number } | undefined
  #movedFrom: EmbeddedState['movedFrom']
  #tokenRequired = false
  #token: string | undefined
  #otherClients = 0
  #counting: NodeJS.Timeout | undefined

  constructor(options: EmbeddedOptions) {
    this.#options = options
  }

  /**
   * Starts to listen. If no port is stored yet and the usual one is taken, the next free one is used and stored. A
   * stored port that is taken is never replaced, because clients have its address: that becomes part of the state.
   */
  async start(): Promise<void> {
    const settings = await this.#options.settings.read()
    await this.#startToken(settings.tokenRequired)
    const chosen = this.#options.mcpPort ?? settings.mcpPort
    if (chosen === undefined) await this.#listenFirst()
    else await this.#listen(chosen)
    this.#counting = setInterval(() => this.#count(), COUNT_MS)
    this.#counting.unref()
  }

  state(): EmbeddedState {
    const shared = {
      tokenRequired: this.#tokenRequired,
      otherClients: this.#otherClients,
      keepsPort: this.#options.mcpPort === undefined,
    }
    if (this.#listener !== undefined) {
      const movedFrom = this.#movedFrom === undefined ? {} : { movedFrom: this.#movedFrom }
      return {
        ...shared,
        status: 'listening',
        address: this.#listener.url,
        port: this.#listener.port,
        ...movedFrom,
      }
    }
    if (this.#taken === undefined) return { ...shared, status: 'stopped', port: this.#port }
    const { by, offered } = this.#taken
    const takenBy = by === undefined ? {} : { takenBy: by }
    return { ...shared, status: 'port-taken', port: this.#port, ...takenBy, offeredPort: offered }
  }

  /** How our own client reaches it, or undefined while it does not listen. */
  target(): Approvable | undefined {
    if (this.#listener === undefined) return undefined
    const token = this.#requiredToken()
    const bearer = token === undefined ? {} : { bearerToken: token }
    return { transport: 'http', url: this.#listener.url, headers: this.#options.ownHeaders, ...bearer }
  }

  /**
   * Listens on another port and keeps it for later starts. The old port is given up once the new one works.
   *
   * @param port 0 means any free one, which is then kept
   * @throws HostError `PORT_UNAVAILABLE`; the old port is then still served
   */
  async setPort(port: number): Promise<EmbeddedState> {
    if (this.#listener !== undefined && this.#listener.port === port) return this.state()
    const listener = await this.#options.listen(port, () => this.#admittedTokens())
    if (listener === undefined) {
      const by = await portHolder(port)
      const message = `Port ${port} is in use${by === undefined ? '' : ` by ${by}`}. Port ${await freePort(port)} is free.`
      throw new HostError('PORT_UNAVAILABLE', message)
    }
    const before = this.#listener
    this.#listener = listener
    this.#port = listener.port
    this.#taken = undefined
    this.#movedFrom = undefined
    await before?.close()
    await this.#options.settings.update((current) => ({ ...current, mcpPort: listener.port }))
    this.#options.onChange()
    return this.state()
  }

  /**
   * Switches the token on or off, at once and for later starts. The first time it is switched on it is made. Switched
   * on it ends what is open without it.
   */
  async setTokenRequired(required: boolean): Promise<EmbeddedState> {
    if (required) this.#token = await this.#storedToken()
    await this.#options.settings.update((current) => ({ ...current, tokenRequired: required }))
    this.#tokenRequired = required
    this.#listener?.endUnadmitted()
    this.#options.onChange()
    return this.state()
  }

  /** The token that clients send; it is made and stored if missing. */
  async revealToken(): Promise<string> {
    return this.#requiredToken() ?? (await this.#storedToken())
  }

  async close(): Promise<void> {
    clearInterval(this.#counting)
    const listener = this.#listener
    this.#listener = undefined
    await listener?.close()
  }

  /** Listens on the usual port or the next free one, and stores which. */
  async #listenFirst(): Promise<void> {
    await this.#listen(USUAL_PORT)
    if (this.#taken !== undefined) {
      const { by, offered } = this.#taken
      await this.#listen(offered)
      if (this.#listener === undefined) return
      this.#movedFrom = { port: USUAL_PORT, ...(by === undefined ? {} : { takenBy: by }) }
    }
    const port = this.#port
    await this.#options.settings.update((current) => ({ ...current, mcpPort: port }))
  }

  async #listen(port: number): Promise<void> {
    this.#port = port
    this.#listener = await this.#options.listen(port, () => this.#admittedTokens())
    this.#taken = undefined
    if (this.#listener !== undefined) this.#port = this.#listener.port
    else this.#taken = { by: await portHolder(port), offered: await freePort(port) }
    this.#options.onChange()
  }

  #requiredToken(): string | undefined {
    return this.#tokenRequired ? this.#token : undefined
  }

  #admittedTokens(): readonly NamedToken[] {
    const token = this.#requiredToken()
    return token === undefined ? [] : [{ token }, ...(this.#options.namedTokens ?? [])]
  }

  /** @param chosen what the user chose, or what an older Patchbay saved, which wrote `false` where nobody chose */
  async #startToken(chosen: boolean | undefined): Promise<void> {
    if (chosen === false && (await this.#hasToken())) return
    this.#tokenRequired = true
    try {
      this.#token = await this.#storedToken()
    } catch (error) {
      // A token that clients have must not be replaced because it cannot be read now.
      if (chosen === true || !(error instanceof StorageError)) throw error
      this.#token = newToken()
    }
  }

  /** Whether a token was ever made, which is so for everybody who switched it off. */
  async #hasToken(): Promise<boolean> {
    try {
      return (await this.#options.secretStore.get(TOKEN_KEY)) !== undefined
    } catch (error) {
      if (isUnreadableSecret(error)) return true
      throw error
    }
  }

  /** The stored token, which is made if missing; a token for this run if it cannot be stored. */
  async #storedToken(): Promise<string> {
    const stored = await this.#options.secretStore.get(TOKEN_KEY)
    if (stored !== undefined) return stored
    const made = this.#token ?? newToken()
    await this.#options.secretStore.set(TOKEN_KEY, made)
    return made
  }

  #count(): void {
    const others = this.#listener?.otherClients() ?? 0
    if (others === this.#otherClients) return
    this.#otherClients = others
    this.#options.onChange()
  }
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}
