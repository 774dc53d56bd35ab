import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { CompositionError } from '../composition-error.ts'
import type { CredentialData, OpenApiData } from '../config-data.ts'
import { revealed, type SecretOf } from '../credentials.ts'
import type { ClientCredentialsTokens } from './client-credentials.ts'
import type { Documents } from './documents.ts'
import type { SecurityRequirement } from './operation.ts'
import { encodeValue } from './serialise.ts'
import type { ClientCredentials } from './token-request.ts'

/** What goes with a request so that it is let in. */
export type Admission = {
  readonly headers: Readonly<Record<string, string>>
  /** `name=value` parts. */
  readonly query: readonly string[]
  readonly cookies: readonly string[]
  /** What must not be shown in errors. */
  readonly secrets: readonly string[]
  /** Makes the next request ask for new tokens; false if there are none to renew. */
  renew(): boolean
}

type Part = Partial<Omit<Admission, 'renew'>> & { readonly tokenOf?: ClientCredentials }

/** Lets requests in by the security schemes of the document and the credentials of the configuration. */
export class Security {
  readonly #schemes: JsonObject
  readonly #data: OpenApiData
  readonly #secretOf: SecretOf
  readonly #tokens: ClientCredentialsTokens
  readonly #documents: Documents

  constructor(documents: Documents, data: OpenApiData, secretOf: SecretOf, tokens: ClientCredentialsTokens) {
    const { components } = documents.root
    const schemes = isJsonObject(components) ? components['securitySchemes'] : undefined
    this.#documents = documents
    this.#schemes = isJsonObject(schemes) ? schemes : {}
    this.#data = data
    this.#secretOf = secretOf
    this.#tokens = tokens
  }

  /** The schemes that the operation asks for and no credentials are there for; none if it can be let in. */
  missing(requirements: readonly SecurityRequirement[] | undefined): readonly string[] {
    if (requirements === undefined || requirements.length === 0) return []
    if (this.#chosen(requirements) !== undefined) return []
    const [first = {}] = requirements
    return Object.keys(first).filter((scheme) => this.#credential(scheme) === undefined)
  }

  /** What goes with a request of the operation. Rejects with a `CompositionError` that says what is missing or unfit. */
  async admit(requirements: readonly SecurityRequirement[] | undefined): Promise<Admission> {
    const own = await this.#headers()
    const chosen = requirements === undefined ? {} : (this.#chosen(requirements) ?? {})
    const parts = await Promise.all(
      Object.entries(chosen).map(([scheme, scopes]) => this.#part(scheme, scopes)),
    )
    const all: readonly Part[] = [own, ...parts]
    const tokens = all.flatMap(({ tokenOf }) => tokenOf ?? [])
    return {
      headers: Object.assign({}, ...all.map(({ headers }) => headers)) as Record<string, string>,
      query: all.flatMap(({ query }) => query ?? []),
      cookies: all.flatMap(({ cookies }) => cookies ?? []),
      secrets: all.flatMap(({ secrets }) => secrets ?? []),
      renew: () => {
        for (const each of tokens) this.#tokens.forget(each)
        return tokens.length > 0
      },
    }
  }

  async #headers(): Promise<Part> {
    const given = Object.entries(this.#data.headers ?? {})
    const read = await Promise.all(
      given.map(async ([name, value]) => {
        const text = await revealed(value, this.#secretOf)
        return { name, text, isSecret: typeof value !== 'string' }
      }),
    )
    return {
      headers: Object.fromEntries(read.map(({ name, text }) => [name.toLowerCase(), text])),
      secrets: read.flatMap(({ text, isSecret }) => (isSecret ? [text] : [])),
    }
  }

  /** The first alternative for which all credentials are there. */
  #chosen(requirements: readonly SecurityRequirement[]): SecurityRequirement | undefined {
    const withAll = requirements.filter((requirement) =>
      Object.keys(requirement).every((scheme) => this.#credential(scheme) !== undefined),
    )
    // What needs nothing comes last: who gave credentials wants to be known.
    return withAll.find((requirement) => Object.keys(requirement).length > 0) ?? withAll[0]
  }

  #credential(scheme: string): CredentialData | undefined {
    const { credentials = {} } = this.#data
    return Object.hasOwn(credentials, scheme) ? credentials[scheme] : undefined
  }

  async #part(name: string, scopes: readonly string[]): Promise<Part> {
    const { value: scheme } = this.#documents.resolve(this.#schemes[name], this.#documents.uri)
    const credential = this.#credential(name)
    if (!isJsonObject(scheme) || credential === undefined) {
      throw unusableScheme(name, 'the document has no security scheme of that name')
    }
    const type = String(scheme['type'])
    const httpScheme = String(scheme['scheme']).toLowerCase()
    if (type === 'apiKey') return this.#apiKey(name, scheme, credential)
    if (type === 'http' && httpScheme === 'basic') return this.#basic(name, credential)
    if (type === 'oauth2' && typeof credential === 'object' && 'clientId' in credential) {
      return this.#clientCredentials(name, scheme, credential, scopes)
    }
    if (type === 'http' || type === 'oauth2' || type === 'openIdConnect') {
      const token = await this.#plain(name, credential, 'a token')
      const word = type === 'http' && httpScheme !== 'bearer' ? String(scheme['scheme']) : 'Bearer'
      return { headers: { authorization: `${word} ${token}` }, secrets: [token] }
    }
    throw unusableScheme(name, `schemes of the type "${type}" are not supported`)
  }

  async #apiKey(name: string, scheme: JsonObject, credential: CredentialData): Promise<Part> {
    const key = await this.#plain(name, credential, 'a key')
    const place = scheme['in']
    const parameter = String(scheme['name'])
    if (place === 'header') return { headers: { [parameter.toLowerCase()]: key }, secrets: [key] }
    const pair = [`${encodeValue(parameter)}=${encodeValue(key)}`]
    const secrets = [key, encodeValue(key)]
    return place === 'query' ? { query: pair, secrets } : { cookies: pair, secrets }
  }

  async #basic(name: string, credential: CredentialData): Promise<Part> {
    if (typeof credential !== 'object' || !('username' in credential)) {
      throw unusableScheme(name, 'it needs { username, password }')
    }
    const password = await revealed(credential.password, this.#secretOf)
    const encoded = Buffer.from(`${credential.username}:${password}`).toString('base64')
    return { headers: { authorization: `Basic ${encoded}` }, secrets: [password, encoded] }
  }

  async #clientCredentials(
    name: string,
    scheme: JsonObject,
    credential: Extract<CredentialData, { readonly clientId: string }>,
    scopes: readonly string[],
  ): Promise<Part> {
    const { flows } = scheme
    const flow = isJsonObject(flows) ? flows['clientCredentials'] : undefined
    const written = isJsonObject(flow) ? flow['tokenUrl'] : undefined
    const tokenUrl =
      credential.tokenUrl ??
      (typeof written === 'string' ? URL.parse(written, this.#documents.uri)?.href : undefined)
    if (tokenUrl === undefined) {
      throw unusableScheme(name, 'it has no flow "clientCredentials"; name the tokenUrl beside the clientId')
    }
    const clientSecret = await revealed(credential.clientSecret, this.#secretOf)
    const tokenOf = {
      tokenUrl,
      clientSecret,
      clientId: credential.clientId,
      scopes: credential.scopes ?? scopes,
    }
    const token = await this.#tokens.token(tokenOf)
    return { headers: { authorization: `Bearer ${token}` }, secrets: [clientSecret, token], tokenOf }
  }

  async #plain(name: string, credential: CredentialData, what: string): Promise<string> {
    if (typeof credential !== 'string' && !('secret' in credential)) {
      throw unusableScheme(name, `it needs ${what}: a text, or { secret: 'its name' }`)
    }
    return revealed(credential, this.#secretOf)
  }
}

function unusableScheme(name: string, reason: string): CompositionError {
  return new CompositionError(
    'configuration',
    `the credentials for the security scheme "${name}" do not fit: ${reason}`,
  )
}
