import { SerialQueue } from '../protocol/serial-queue.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SecretStore } from '../profile/secret-store.ts'
import type { ClientIdentity, Tokens } from './flow-state.ts'

const clientSchema = z.object({
  kind: z.enum(['pre-registered', 'metadata-document', 'dynamic', 'grant']),
  clientId: z.string(),
  clientSecret: z.string().optional(),
  tokenAuthMethod: z.enum(['client_secret_basic', 'client_secret_post', 'none']).optional(),
  redirectUri: z.string().optional(),
  expiresAt: z.number().optional(),
})

const tokensSchema = z.object({
  issuer: z.string(),
  resource: z.string(),
  clientId: z.string(),
  accessToken: z.string(),
  tokenType: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.number().optional(),
  resourceMetadata: z.string().optional(),
  scopes: z.array(z.string()),
})

const documentSchema = z.object({
  version: z.literal(1),
  /** Registrations, by issuer: what one authorization server gave is shown to no other. */
  clients: z.record(z.string(), clientSchema),
  /** One set for each issuer, resource and client. */
  tokens: z.array(tokensSchema),
})
type Document = z.infer<typeof documentSchema>

const EMPTY: Document = { version: 1, clients: {}, tokens: [] }

/**
 * What was got for one server, kept in a secret store under one key: registrations by issuer, tokens by issuer,
 * resource and client. What cannot be read is taken for nothing. Each question reads the store again, so that what
 * another process renewed is seen.
 */
export class Credentials {
  readonly #store: SecretStore
  readonly #key: string
  readonly #changes = new SerialQueue()

  /** @param owner whose they are, in our own words: two entries for one server share nothing */
  constructor(store: SecretStore, owner: string, serverUrl: string) {
    this.#store = store
    this.#key = `oauth/${owner}/${createHash('sha256').update(serverUrl).digest('base64url')}`
  }

  /** The tokens that were got last. */
  async latest(): Promise<Tokens | undefined> {
    const last = (await this.#read()).tokens.at(-1)
    return last === undefined ? undefined : definedOnly(last)
  }

  async tokens(issuer: string, resource: string, clientId: string): Promise<Tokens | undefined> {
    const found = (await this.#read()).tokens.find(
      (each) => each.issuer === issuer && each.resource === resource && each.clientId === clientId,
    )
    return found === undefined ? undefined : definedOnly(found)
  }

  /** The registration at this issuer. */
  async client(issuer: string): Promise<ClientIdentity | undefined> {
    const { clients } = await this.#read()
    const found = Object.hasOwn(clients, issuer) ? clients[issuer] : undefined
    return found === undefined ? undefined : definedOnly(found)
  }

  /** The issuer at which a client that was registered by hand was used first. */
  async issuerOf(clientId: string): Promise<string | undefined> {
    const { clients } = await this.#read()
    const found = Object.entries(clients).find(
      ([, client]) => client.kind === 'pre-registered' && client.clientId === clientId,
    )
    return found?.[0]
  }

  /** Keeps tokens, in place of all others for this resource: those of another authorization server hold no more. */
  async saveTokens(tokens: Tokens): Promise<void> {
    await this.#change((current) => ({
      ...current,
      tokens: [
        ...current.tokens.filter(({ resource }) => resource !== tokens.resource),
        { ...tokens, scopes: [...tokens.scopes] },
      ],
    }))
  }

  async saveClient(issuer: string, client: ClientIdentity): Promise<void> {
    await this.#change((current) => ({ ...current, clients: { ...current.clients, [issuer]: client } }))
  }

  async dropClient(issuer: string): Promise<void> {
    await this.#change(({ clients: { [issuer]: _dropped, ...clients }, ...rest }) => ({ ...rest, clients }))
  }

  /** Forgets a refresh token that is not taken any more, unless another came in its place. */
  async dropRefreshToken(refreshToken: string): Promise<void> {
    await this.#change((current) => ({
      ...current,
      tokens: current.tokens.map((each) =>
        each.refreshToken === refreshToken ? { ...each, refreshToken: undefined } : each,
      ),
    }))
  }

  async dropTokens(): Promise<void> {
    await this.#change((current) => ({ ...current, tokens: [] }))
  }

  /** Forgets everything. */
  async forget(): Promise<void> {
    await this.#changes.run(() => this.#store.delete(this.#key))
  }

  async #read(): Promise<Document> {
    const text = await this.#store.get(this.#key)
    if (text === undefined) return EMPTY
    try {
      return documentSchema.parse(JSON.parse(text))
    } catch {
      return EMPTY
    }
  }

  #change(change: (current: Document) => unknown): Promise<void> {
    return this.#changes.run(async () => {
      await this.#store.set(this.#key, JSON.stringify(change(await this.#read())))
    })
  }
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

/** The same without members that are undefined. */
function definedOnly<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>
}
