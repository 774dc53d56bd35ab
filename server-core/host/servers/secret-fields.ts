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
