import { authorizationSettingsSchema, type AuthorizationSettings } from '../contract/authorization.ts'
import type { ClientSettings } from '../../oauth/flow-parts.ts'
import type { SecretStore } from '../../workspace/secret-store.ts'
import { z } from 'zod'

const storedSchema = authorizationSettingsSchema
  .omit({ clientSecret: true })
  .extend({ clientSecret: z.string().optional() })

/** What a user set for the authorization at one server, in the secret store. */
export class StoredSettings {
  readonly #store: SecretStore
  readonly #key: string

  /** @param owner names the entry, as for its credentials */
  constructor(store: SecretStore, owner: string) {
    this.#store = store
    this.#key = `oauth-settings/${owner}`
  }

  /** What the authorization works with, secret included. */
  async read(): Promise<ClientSettings> {
    const text = await this.#store.get(this.#key)
    if (text === undefined) return {}
    try {
      return storedSchema.parse(JSON.parse(text))
    } catch {
      return {}
    }
  }

  /** What an editor shows: the secret is said to be there, and no more. */
  async shown(): Promise<AuthorizationSettings> {
    const { clientSecret, scopes, ...plain } = await this.read()
    return {
      ...plain,
      ...(scopes === undefined ? {} : { scopes: [...scopes] }),
      ...(clientSecret === undefined ? {} : { clientSecret: { state: 'kept' } }),
    }
  }

  async forget(): Promise<void> {
    await this.#store.delete(this.#key)
  }

  /** Replaces them; a secret that is `kept` stays as it is. */
  async save(settings: AuthorizationSettings): Promise<void> {
    const { clientSecret, ...plain } = settings
    const secret =
      clientSecret?.state === 'new' ? clientSecret.value : clientSecret && (await this.read()).clientSecret
    const filled = Object.entries(plain).filter(([, value]) => value !== undefined && value !== '')
    const stored = {
      ...Object.fromEntries(filled),
      ...(secret === undefined ? {} : { clientSecret: secret }),
    }
    if (Object.keys(stored).length === 0) await this.#store.delete(this.#key)
    else await this.#store.set(this.#key, JSON.stringify(stored))
  }
}
