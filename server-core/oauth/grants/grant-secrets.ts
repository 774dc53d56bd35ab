import type { SecretStore } from '../../profile/secret-store.ts'
import { OAuthError } from '../oauth-error.ts'
import { GRANT_SECRETS, type GrantSecret } from './settings.ts'

/** What is kept beside the secrets of the user: the authorization server they were used at, and the key of DPoP. */
type Kept = GrantSecret | 'issuer' | 'dpop_key'

/** The secrets of the grants for one server, each under a key of its own in the secret store. */
export class GrantSecrets {
  readonly #store: SecretStore
  readonly #owner: string

  /** @param owner whose they are, in our own words, as for the tokens */
  constructor(store: SecretStore, owner: string) {
    this.#store = store
    this.#owner = owner
  }

  get(name: Kept): Promise<string | undefined> {
    return this.#store.get(this.#key(name))
  }

  /** Throws an `OAuthError` that says what to enter if the secret is not there. */
  async need(name: GrantSecret, what: string): Promise<string> {
    const value = await this.get(name)
    if (value !== undefined && value.trim() !== '') return value
    throw new OAuthError(
      'client',
      `There is no ${what}. Enter it in the authorization settings of this server.`,
    )
  }

  async set(name: Kept, value: string): Promise<void> {
    await this.#store.set(this.#key(name), value)
  }

  async delete(name: Kept): Promise<void> {
    await this.#store.delete(this.#key(name))
  }

  /** Forgets which authorization server the secrets belong to: for when the settings change. */
  async unpin(): Promise<void> {
    await this.delete('issuer')
  }

  /** Forgets everything. */
  async forget(): Promise<void> {
    for (const name of [...GRANT_SECRETS, 'issuer', 'dpop_key'] as const) await this.delete(name)
  }

  #key(name: Kept): string {
    return `oauth/${this.#owner}/grant/${name}`
  }
}
