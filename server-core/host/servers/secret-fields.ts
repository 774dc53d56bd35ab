import type { Approvable } from '../../workspace/approvals.ts'
import type { Pair } from '../contract/servers.ts'

/** What stands for a value that is kept in the secret store and is not shown. */
export const KEPT_VALUE = '••••••••'

const SECRET_WORDS =
  /(^|[-_.])(auth|authorization|cookie|credential|key|passphrase|passwd|password|pat|pwd|secret|session|token)s?($|[-_.])/i
const SECRET_COMPOUNDS = /(api|access|private|secret|auth)-?_?(key|token)|password|secret/i

/** Tells by its name whether a header or variable carries a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_WORDS.test(name) || SECRET_COMPOUNDS.test(name)
}

/** Tells whether an editor gave back a secret as it was shown, which leaves it as it is. */
export function isKept(pair: Pair): boolean {
  return pair.kept === true || pair.value === KEPT_VALUE
}

/** Values of a target that must not be seen, on the timeline or in words: secret variables, headers, the token. */
export function secretsOf(target: Approvable): string[] {
  const pairs = target.transport === 'stdio' ? target.env : target.headers
  const values = pairs.filter(({ name }) => isSecretName(name)).flatMap(({ value }) => parts(value))
  const bearer = target.transport === 'stdio' ? undefined : target.bearerToken
  return bearer === undefined ? values : [...values, bearer]
}

/** A peer may repeat what follows the scheme of an authorization alone. */
function parts(value: string): string[] {
  const credentials = /^[A-Za-z]+ +(\S.*)$/.exec(value)?.[1]
  return credentials === undefined ? [value] : [value, credentials]
}
