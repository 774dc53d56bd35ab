import { replaceAddressSecrets } from '../protocol/secret-names.ts'
import type { Approvable } from './approvals.ts'
import type { Pair } from './server-target.ts'

/** What stands for a value that is kept in the secret store and is not shown. */
export const KEPT_VALUE = '••••••••'

const SECRET_WORDS =
  /(^|[-_.])(auth|authorization|cookie|credential|key|passphrase|passwd|password|pat|pwd|secret|session|token)s?($|[-_.])/i
const SECRET_COMPOUNDS = /(api|access|private|secret|auth)-?_?(key|token)|password|secret/i

/** Returns whether a header or variable carries a secret, by its name. */
export function isSecretName(name: string): boolean {
  return SECRET_WORDS.test(name) || SECRET_COMPOUNDS.test(name)
}

/** Whether a header or variable carries a secret, by its name or by an address in its value (`scheme://user:password@`). */
export function isSecretPair({ name, value }: Pick<Pair, 'name' | 'value'>): boolean {
  return isSecretName(name) || withoutAddressSecrets(value) !== value
}

/** A text with `KEPT_VALUE` in place of the passwords and secret parameters in its addresses. */
export function withoutAddressSecrets(text: string): string {
  return replaceAddressSecrets(text, () => KEPT_VALUE)
}

/**
 * Restores the secret parameters of an address that an editor returned masked.
 *
 * @param kept the address as it is stored
 * @returns undefined if a value to restore is not stored
 */
export function withKeptParameters(address: string, kept: string | undefined): string | undefined {
  const known = new Map<string, string[]>()
  for (const [value, name] of addressSecrets(kept ?? '')) known.set(name, [...(known.get(name) ?? []), value])
  const missing: string[] = []
  const whole = replaceAddressSecrets(address, (value, name = '') => {
    if (value !== KEPT_VALUE) return value
    const [first, ...rest] = known.get(name) ?? []
    if (first === undefined) missing.push(name)
    known.set(name, rest)
    return first ?? value
  })
  return missing.length === 0 ? whole : undefined
}

/** The secrets in the addresses of a text, each with the name of its parameter. */
function addressSecrets(text: string): [value: string, name: string][] {
  const found: [string, string][] = []
  replaceAddressSecrets(text, (value, name = '') => {
    found.push([value, name])
    return value
  })
  return found
}

/** Returns whether an editor gave back a secret as it was shown, which leaves it as it is. */
export function isKept(pair: Pair): boolean {
  return pair.kept === true || pair.value === KEPT_VALUE
}

/** Values of a target that must not be seen, on the timeline or in words: secret variables, headers, the token. */
export function secretsOf(target: Approvable): string[] {
  const pairs = target.transport === 'stdio' ? target.env : target.headers
  const byName = pairs.filter(({ name }) => isSecretName(name)).flatMap(({ value }) => parts(value))
  const texts = [...pairs.map(({ value }) => value), target.transport === 'stdio' ? '' : target.url]
  const inAddresses = texts.flatMap(addressSecrets).flatMap(([value]) => [value, decoded(value)])
  const values = [...byName, ...inAddresses]
  const bearer = target.transport === 'stdio' ? undefined : target.bearerToken
  return bearer === undefined ? values : [...values, bearer]
}

/** A peer may repeat what follows the scheme of an authorization alone. */
function parts(value: string): string[] {
  const credentials = /^[A-Za-z]+ +(\S.*)$/.exec(value)?.[1]
  return credentials === undefined ? [value] : [value, credentials]
}

/** A peer may repeat a parameter as it was meant. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // It is not percent-encoded text, so it is taken literally.
    return value
  }
}
