import { z } from 'zod'
import type { ClientSettings } from '../../oauth/flow-parts.ts'
import { GrantSecrets } from '../../oauth/grants/grant-secrets.ts'
import {
  GRANT_SECRETS,
  secretsNeeded,
  type DpopSettings,
  type GrantSettings,
} from '../../oauth/grants/settings.ts'
import type { SecretStore } from '../../profile/secret-store.ts'
import { authorizationSettingsSchema, type AuthorizationSettings } from '../contract/authorization.ts'

const storedSchema = authorizationSettingsSchema
  .omit({ clientSecret: true, grantSecrets: true })
  .extend({ clientSecret: z.string().optional() })

/** What an authorization works with. */
export type UsedSettings = ClientSettings & {
  readonly grant?: GrantSettings | undefined
  readonly dpop?: DpopSettings | undefined
}

/** What a user set for the authorization at one server, in the secret store. */
export class StoredSettings {
  /** The secrets of a grant, each under a key of its own. */
  readonly secrets: GrantSecrets
  readonly #store: SecretStore
  readonly #key: string

  /** @param owner names the entry, as for its credentials */
  constructor(store: SecretStore, owner: string) {
    this.secrets = new GrantSecrets(store, owner)
    this.#store = store
    this.#key = `oauth-settings/${owner}`
  }

  /** The settings, with the secret of the client and without those of a grant. */
  async read(): Promise<UsedSettings> {
    const text = await this.#store.get(this.#key)
    if (text === undefined) return {}
    try {
      return storedSchema.parse(JSON.parse(text))
    } catch {
      return {}
    }
  }

  /** What an editor shows: of a secret only that it is there. */
  async shown(): Promise<AuthorizationSettings> {
    const { clientSecret, scopes, ...plain } = await this.read()
    const kept: [string, { state: 'kept' }][] = []
    for (const name of plain.grant === undefined ? [] : secretsNeeded(plain.grant)) {
      if ((await this.secrets.get(name)) !== undefined) kept.push([name, { state: 'kept' }])
    }
    return {
      ...plain,
      ...(scopes === undefined ? {} : { scopes: [...scopes] }),
      ...(clientSecret === undefined ? {} : { clientSecret: { state: 'kept' } }),
      ...(kept.length === 0 ? {} : { grantSecrets: Object.fromEntries(kept) }),
    }
  }

  /** Replaces them; a secret that is `kept` stays as it is. Gives whether anything is another than before. */
  async save(settings: AuthorizationSettings): Promise<boolean> {
    const { clientSecret, grantSecrets = {}, ...plain } = settings
    const before = await this.#store.get(this.#key)
    const secret =
      clientSecret?.state === 'new' ? clientSecret.value : clientSecret && (await this.read()).clientSecret
    const filled = Object.entries(plain).filter(([, value]) => value !== undefined && value !== '')
    const stored = {
      ...Object.fromEntries(filled),
      ...(secret === undefined ? {} : { clientSecret: secret }),
    }
    const after = Object.keys(stored).length === 0 ? undefined : JSON.stringify(stored)
    if (after === undefined) await this.#store.delete(this.#key)
    else if (after !== before) await this.#store.set(this.#key, after)
    let isOther = after !== before
    for (const name of GRANT_SECRETS) {
      const given = grantSecrets[name]
      if (given?.state === 'new') await this.secrets.set(name, given.value)
      else if (given === undefined && (await this.secrets.get(name)) !== undefined)
        await this.secrets.delete(name)
      else continue
      isOther = true
    }
    // Other settings may be for another authorization server.
    if (isOther) await this.secrets.unpin()
    return isOther
  }

  async forget(): Promise<void> {
    await this.#store.delete(this.#key)
    await this.secrets.forget()
  }
}
