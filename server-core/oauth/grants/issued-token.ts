import { readFile } from 'node:fs/promises'
import { OAuthError } from '../oauth-error.ts'
import type { GrantSecrets } from './grant-secrets.ts'
import type { TokenSource } from './settings.ts'

/** Bytes of a file that can be a token. */
const MAX_BYTES = 65_536

/**
 * Reads a token that somebody else issued, from where the settings say. Throws an `OAuthError` (`client`) that says
 * what is missing there.
 *
 * @param what names it for people: "ID token"
 */
export async function readIssuedToken(
  source: TokenSource,
  secrets: GrantSecrets,
  secret: 'subject_token' | 'assertion',
  what: string,
): Promise<string> {
  const token = (await textOf(source, secrets, secret, what)).trim()
  if (token === '' || token.length > MAX_BYTES || /\s/.test(token)) {
    const came = token === '' ? 'nothing' : token.length > MAX_BYTES ? 'too much' : 'text with spaces'
    throw new OAuthError('client', `Expected the ${what} ${placeOf(source)}, found ${came}.`)
  }
  return token
}

/** The claims of a JWT; its signature is not checked. Undefined if it is not a JWT. */
export async function claimsOf(token: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { decodeJwt } = await import('jose')
  try {
    const claims: Readonly<Record<string, unknown>> = decodeJwt(token)
    return claims
  } catch {
    return undefined
  }
}

/** Throws an `OAuthError` (`token`) for a JWT that is over: the refusal of a server would say less. */
export function checkNotOver(claims: Readonly<Record<string, unknown>> | undefined, what: string): void {
  const end = claims?.['exp']
  if (typeof end !== 'number' || end * 1_000 > Date.now()) return
  throw new OAuthError(
    'token',
    `The ${what} ended at ${new Date(end * 1_000).toISOString()}. Get a new one from whoever issued it.`,
  )
}

/** Returns whether a JWT is for one of these; one that names nobody may be for all. */
export function isFor(claims: Readonly<Record<string, unknown>>, ...audiences: readonly string[]): boolean {
  const { aud } = claims
  if (aud === undefined) return true
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  const plain = (text: unknown): unknown => (typeof text === 'string' ? text.replace(/\/$/, '') : text)
  return named.some((each) => audiences.some((audience) => plain(audience) === plain(each)))
}

async function textOf(
  source: TokenSource,
  secrets: GrantSecrets,
  secret: 'subject_token' | 'assertion',
  what: string,
): Promise<string> {
  switch (source.from) {
    case 'secret':
      return await secrets.need(secret, what)
    case 'environment':
      return process.env[source.name] ?? ''
    case 'file':
      try {
        return await readFile(source.path, 'utf8')
      } catch (cause) {
        const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
        throw new OAuthError('client', `The ${what} cannot be read from ${source.path} (${code}).`, { cause })
      }
  }
}

function placeOf(source: TokenSource): string {
  switch (source.from) {
    case 'secret':
      return 'in the secret store'
    case 'environment':
      return `in the environment variable ${source.name} of Patchbay`
    case 'file':
      return `in ${source.path}`
  }
}
