import { createClientAuthorization, type OAuthAuthorization } from '../../oauth/client-authorization.ts'
import type { SecretStore } from '../../profile/secret-store.ts'
import { extensionsOf, networkOf } from './extensions-of-settings.ts'
import { StoredSettings } from './stored-settings.ts'

export type TerminalAuthorizationOptions = {
  readonly url: string
  /** `approvalKey` of a stored entry, whose tokens and settings are used then; else a word of our own. */
  readonly owner: string
  readonly secretStore: SecretStore
  /** The user is at the terminal and wants a browser to be opened; otherwise that fails as `user-needed`. */
  readonly mayAskUser: boolean
  readonly openUrl: (href: string) => Promise<void>
  /** Gets a line for the user: which page to open, if none opens by itself. */
  readonly log: (line: string) => void
  /** Learns of each secret, so that it is masked in what is written. */
  readonly onSecret?: (secret: string) => void
}

/** The authorization of a command, with the tokens and settings of the window. Close it at the end of the command. */
export async function terminalAuthorization(
  options: TerminalAuthorizationOptions,
): Promise<OAuthAuthorization> {
  const { url, owner, secretStore, mayAskUser, openUrl, log: log, onSecret } = options
  const stored = new StoredSettings(secretStore, owner)
  const used = await stored.read()
  const { grant, presentation } = await extensionsOf(used, stored.secrets)
  const { grant: _grant, dpop: _dpop, ...settings } = used
  return createClientAuthorization({
    serverUrl: url,
    owner,
    store: secretStore,
    network: networkOf(url, used),
    settings,
    mayAskUser: () => mayAskUser,
    openBrowser: async (href) => {
      log(`The server asks for authorization. If no browser opens, open this page: ${href}`)
      await openUrl(href).catch(() => undefined)
      return undefined
    },
    ...(grant === undefined ? {} : { grant }),
    ...(presentation === undefined ? {} : { presentation }),
    ...(onSecret === undefined ? {} : { onSecret }),
  })
}
