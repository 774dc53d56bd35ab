import { randomBytes } from 'node:crypto'
import type { Approvable } from '../../workspace/approvals.ts'
import type { DocumentFile } from '../../workspace/document-file.ts'
import type { SecretStore } from '../../workspace/secret-store.ts'
import type { SettingsDocument } from '../../workspace/settings.ts'
import type { EmbeddedState } from '../contract/app.ts'
import { freePort } from '../free-port.ts'
import { HostError } from '../host-error.ts'
import { portHolder } from '../port-holder.ts'

/** A listener on loopback that serves the embedded server. */
export type Listener = {
  /** The whole address of the MCP endpoint. */
  readonly url: string
  readonly port: number
  clientCount(): number
  /** Ends what callers have open that the token of now does not admit. */
  endUnadmitted(): void
  close(): Promise<void>
}

/** Listens on a port of 127.0.0.1. Gives undefined if the port is taken or not ours to use. */
export type Listen = (port: number, token: () => string | undefined) => Promise<Listener | undefined>

export type EmbeddedOptions = {
  readonly settings: DocumentFile<SettingsDocument>
  readonly secretStore: SecretStore
  /** A port for this run only, in place of the stored one; 0 means any. */
  readonly mcpPort?: number
  readonly listen: Listen
  /** Headers by which our own client is known. */
  readonly ownHeaders: readonly { readonly name: string; readonly value: string }[]
  /** Its state changed. */
  readonly onChange: () => void
}

const TOKEN_KEY = 'embedded/token'
/** How often the number of clients is looked at, in milliseconds. */
const COUNT_MS = 1_000

/**
 * The server that Patchbay itself hosts: on loopback, at a port that stays the same from start to start, without a
 * token unless the user wants one. If its port is taken it says so, by whom, and which one is free.
 */
export class EmbeddedServer {
  readonly #options: EmbeddedOptions
  #listener: Listener | undefined
  #port = 0
  #taken: { readonly by: string | undefined; readonly offered: number } | undefined
  #tokenRequired = false
  #token: string | undefined
  #clients = 0
  #counting: NodeJS.Timeout | undefined

  constructor(options: EmbeddedOptions) {
    this.#options = options
  }

  /** Begins to listen; a taken port becomes part of the state. */
  async start(): Promise<void> {
    const settings = await this.#options.settings.read()
    this.#tokenRequired = settings.tokenRequired
    if (this.#tokenRequired) this.#token = await this.#storedToken()
    this.#port = this.#options.mcpPort ?? settings.mcpPort
    await this.#listen(this.#port)
    this.#counting = setInterval(() => this.#count(), COUNT_MS)
    this.#counting.unref()
  }

  state(): EmbeddedState {
    const shared = { tokenRequired: this.#tokenRequired, clients: this.#clients }
    if (this.#listener !== undefined) {
      return { ...shared, status: 'listening', address: this.#listener.url, port: this.#listener.port }
    }
    if (this.#taken === undefined) return { ...shared, status: 'stopped', port: this.#port }
    const { by, offered } = this.#taken
    const takenBy = by === undefined ? {} : { takenBy: by }
    return { ...shared, status: 'port-taken', port: this.#port, ...takenBy, offeredPort: offered }
  }

  /** How a client of ours reaches it, or undefined while it does not listen. */
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
    const listener = await this.#options.listen(port, () => this.#requiredToken())
    if (listener === undefined) {
      const by = await portHolder(port)
      const message = `Port ${port} is in use${by === undefined ? '' : ` by ${by}`}. Port ${await freePort(port)} is free.`
      throw new HostError('PORT_UNAVAILABLE', message)
    }
    const before = this.#listener
    this.#listener = listener
    this.#port = listener.port
    this.#taken = undefined
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

  /** The stored token; it is made if there is none yet. */
  async revealToken(): Promise<string> {
    return this.#storedToken()
  }

  async close(): Promise<void> {
    clearInterval(this.#counting)
    const listener = this.#listener
    this.#listener = undefined
    await listener?.close()
  }

  async #listen(port: number): Promise<void> {
    this.#listener = await this.#options.listen(port, () => this.#requiredToken())
    if (this.#listener !== undefined) this.#port = this.#listener.port
    else this.#taken = { by: await portHolder(port), offered: await freePort(port) }
    this.#options.onChange()
  }

  #requiredToken(): string | undefined {
    return this.#tokenRequired ? this.#token : undefined
  }

  async #storedToken(): Promise<string> {
    const stored = await this.#options.secretStore.get(TOKEN_KEY)
    if (stored !== undefined) return stored
    const made = randomBytes(32).toString('base64url')
    await this.#options.secretStore.set(TOKEN_KEY, made)
    return made
  }

  #count(): void {
    const clients = this.#listener?.clientCount() ?? 0
    if (clients === this.#clients) return
    this.#clients = clients
    this.#options.onChange()
  }
}
