import type { ServerEntry, StoredPair } from '../workspace/server-entries.ts'
import type { Pair, RemoteTransport, ServerDraft } from './server-target.ts'
import { ProfileError } from './profile-error.ts'
import { choicesOf } from './choices.ts'
import {
  isKept,
  isSecretPair,
  KEPT_VALUE,
  withKeptParameters,
  withoutAddressSecrets,
} from './secret-fields.ts'

/** Secret values of one entry: `env/NAME`, `header/NAME`, `bearer`, and `url` for an address with secrets in it. */
export type Secrets = Readonly<Record<string, string>>

/**
 * Splits what a user typed into what is stored in the workspace's file and what goes to the secret store.
 *
 * @param kept the secrets stored so far; a value given back as it was shown is taken from here
 * @throws ProfileError `INVALID_ENTRY` naming the field
 */
export function entryOf(
  draft: ServerDraft,
  identity: Pick<ServerEntry, 'id' | 'origin'>,
  kept: Secrets,
): { readonly entry: ServerEntry; readonly secrets: Secrets } {
  const secrets: Record<string, string> = {}
  const store = (kind: 'env' | 'header', pairs: readonly Pair[]): StoredPair[] =>
    pairs.map((pair) => {
      const key = `${kind}/${pair.name}`
      const value = isKept(pair) ? kept[key] : pair.value
      if (value === undefined) {
        const message = `The value of "${pair.name}" is not known any more. Enter it again.`
        throw new ProfileError('INVALID_ENTRY', message)
      }
      if (!isSecretPair({ name: pair.name, value })) return { name: pair.name, value }
      secrets[key] = value
      return { name: pair.name, secret: true }
    })
  const { target } = draft
  const shared = { ...identity, name: draft.name.trim() || draft.name, ...choicesOf(target) }
  if (target.transport === 'stdio') {
    checkNames('an environment variable', target.env, /^[^=\0]+$/)
    const texts = [target.command, ...target.args, target.cwd ?? '', ...target.env.map(({ value }) => value)]
    if (texts.some((text) => text.includes('\0'))) {
      throw new ProfileError(
        'INVALID_ENTRY',
        'A command, argument, folder or variable cannot hold a NUL character.',
      )
    }
    const { command, args, cwd } = target
    const place = cwd === undefined || cwd === '' ? {} : { cwd }
    return {
      entry: { ...shared, transport: 'stdio', command, args, ...place, env: store('env', target.env) },
      secrets,
    }
  }
  checkNames('a header', target.headers, /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/)
  const headers = store('header', target.headers)
  const token = draft.bearerToken === undefined ? kept['bearer'] : draft.bearerToken
  const bearer = token !== undefined && token !== ''
  if (bearer) secrets['bearer'] = token
  const { transport } = target
  const address = checkedUrl(wholeAddress(target.url, kept['url']), transport)
  const url = withoutAddressSecrets(address)
  const isSecret = url !== address
  if (isSecret) secrets['url'] = address
  checkHeaderValues([
    ...target.headers.filter((pair) => !isKept(pair)).map(({ value }) => value),
    token ?? '',
  ])
  return {
    entry: {
      ...shared,
      transport,
      url,
      ...(isSecret && { secretUrl: true }),
      headers,
      ...(bearer ? { bearer } : {}),
    },
    secrets,
  }
}

/** The other way: what an editor starts from. Secret values are not in it. */
export function draftOf(entry: ServerEntry): ServerDraft & { hasBearerToken: boolean } {
  if (entry.transport === 'stdio') {
    const { command, args, cwd } = entry
    const place = cwd === undefined ? {} : { cwd }
    return {
      name: entry.name,
      target: {
        ...choicesOf(entry),
        transport: 'stdio',
        command,
        args,
        ...place,
        env: entry.env.map(shownPair),
      },
      hasBearerToken: false,
    }
  }
  return {
    name: entry.name,
    target: {
      ...choicesOf(entry),
      transport: entry.transport,
      url: entry.url,
      headers: entry.headers.map(shownPair),
    },
    hasBearerToken: entry.bearer === true,
  }
}

/** A command that names no folder, given this one. */
export function inStartFolder(draft: ServerDraft, folder: string): ServerDraft {
  const { target } = draft
  if (target.transport !== 'stdio' || (target.cwd !== undefined && target.cwd !== '')) return draft
  return { ...draft, target: { ...target, cwd: folder } }
}

function shownPair(pair: StoredPair): Pair {
  const value = pair['value']
  return typeof value === 'string'
    ? { name: pair.name, value }
    : { name: pair.name, value: KEPT_VALUE, kept: true }
}

function checkNames(what: string, pairs: readonly Pair[], pattern: RegExp): void {
  const seen = new Set<string>()
  for (const { name } of pairs) {
    if (!pattern.test(name))
      throw new ProfileError('INVALID_ENTRY', `"${name}" cannot be the name of ${what}.`)
    if (seen.has(name))
      throw new ProfileError('INVALID_ENTRY', `"${name}" is there twice as the name of ${what}. Keep one.`)
    seen.add(name)
  }
}

function checkHeaderValues(values: readonly string[]): void {
  // The characters that a header value may have (RFC 9110, section 5.5).
  if (values.every((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value))) return
  throw new ProfileError(
    'INVALID_ENTRY',
    'The value of a header cannot hold line breaks or characters beyond Latin-1.',
  )
}

/** @throws ProfileError `INVALID_ENTRY` if a parameter that is not shown is not stored any more */
function wholeAddress(typed: string, kept: string | undefined): string {
  const whole = withKeptParameters(typed, kept)
  if (whole !== undefined) return whole
  throw new ProfileError('INVALID_ENTRY', 'A hidden parameter of the address is not stored. Enter it again.')
}

/** @throws ProfileError `INVALID_ENTRY` if an address of that scheme is not contacted by that transport */
export function checkTransport(address: string, transport: RemoteTransport): void {
  const isWebSocket = /^wss?:/i.test(address)
  if (transport === 'auto' || (transport === 'websocket') === isWebSocket) return
  const scheme = isWebSocket ? 'https:// or http://' : 'wss:// or ws://'
  throw new ProfileError(
    'INVALID_ENTRY',
    `That transport needs an address that begins with ${scheme}, got "${address}".`,
  )
}

function checkedUrl(text: string, transport: RemoteTransport): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) {
    const expected = 'Expected an address like https://example.com/mcp or wss://example.com/ws'
    throw new ProfileError('INVALID_ENTRY', `${expected}, got "${text}".`)
  }
  checkTransport(text, transport)
  if (url.username !== '' || url.password !== '') {
    const message =
      'The address carries a user name or password. Take it out and enter it as a header instead.'
    throw new ProfileError('INVALID_ENTRY', message)
  }
  return text
}
