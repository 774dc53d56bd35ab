import { existsSync } from 'node:fs'
import type { OAuthAuthorization } from '../../oauth/client-authorization.ts'
import type { ClientAuthorization } from '../../ports/client-authorization.ts'
import { defaultProfile, profileFiles } from '../../profile/profile-files.ts'
import { masking, writeStderr } from '../output/output.ts'

export type ServerAuthorizationOptions = {
  readonly url: string
  /** Patchbay's data folder, where tokens are; the usual one if undefined. */
  readonly profile: string | undefined
  /** The key of the stored entry, whose tokens and settings are used. */
  readonly owner: string | undefined
  /** A browser may be opened without a further question. */
  readonly authorize: boolean
  /** Withdraws the question whether one may be. */
  readonly signal: AbortSignal
}

/** The right to call one server, for the time of a command. */
export type CommandAuthorization = ClientAuthorization & { close(): Promise<void> }

/** Tokens for servers that are named on the command line by their address. */
const COMMAND_LINE = 'command-line'
const NO_HEADERS = Promise.resolve({})

/**
 * The authorization of a command at a server (specification: Authorization). It is loaded when the server asks for it,
 * or at once where a token may be kept from earlier. A browser is opened only where somebody is at a terminal.
 */
export function serverAuthorization(options: ServerAuthorizationOptions): CommandAuthorization {
  const files = profileFiles(options.profile ?? defaultProfile())
  const mayHaveToken = existsSync(files.secrets) || existsSync(files.sealedSecrets)
  let loading: Promise<OAuthAuthorization> | undefined
  let loaded: OAuthAuthorization | undefined
  const load = (): Promise<OAuthAuthorization> =>
    (loading ??= open(options).then((authorization) => (loaded = authorization)))
  return {
    headers: async (request) =>
      mayHaveToken || loading !== undefined ? (await load()).headers(request) : NO_HEADERS,
    challenged: async (refusal) => (await load()).challenged(refusal),
    responded: (headers, status) => loaded?.responded(headers, status),
    close: async () => loaded?.close(),
  }
}

async function open({
  url,
  profile,
  owner = COMMAND_LINE,
  authorize,
  signal,
}: ServerAuthorizationOptions): Promise<OAuthAuthorization> {
  const [{ terminalAuthorization }, { chooseSecretStore }, { MemorySecretStore }, { choose, personHere }] =
    await Promise.all([
      import('../../host/authorization/terminal-authorization.ts'),
      import('../../profile/choose-secret-store.ts'),
      import('../../profile/secret-store.ts'),
      import('../questions/person.ts'),
    ])
  const chosen = await chooseSecretStore(profileFiles(profile ?? defaultProfile()), undefined, 'leave')
  const person = personHere()
  const authorization = await terminalAuthorization({
    url,
    owner,
    // What the key chain keeps cannot be opened here; a token lasts for this command then.
    secretStore: chosen.kind === 'locked' ? new MemorySecretStore() : chosen.store,
    mayAskUser: person !== undefined,
    log: writeStderr,
    onSecret: (secret) => void masking.register(secret),
    openUrl: async (href) => {
      const { openInBrowser } = await import('../../host/open-in-browser.ts')
      if (person === undefined) return
      const may = authorize
        ? 'yes'
        : await choose(person, 'Open it in your browser?', ['yes', 'no'], signal).catch(() => 'no')
      if (may === 'yes') await openInBrowser(href)
      else void authorization.stop()
    },
  })
  return authorization
}
