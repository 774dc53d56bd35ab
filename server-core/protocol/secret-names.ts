/** Words that name a secret. */
const SECRET =
  /pass(?:word|phrase|code)|\bpin\b|secret|api ?key|access ?key|private ?key|credential|(?:access|auth|bearer|refresh|session) ?token|\btoken\b|credit ?card|card ?number|\bcvv\b|\bcvc\b|\bssn\b|social ?security/i
/** What is in all of them, so that most names are looked at once. */
const PERHAPS = /pass|pin|secret|key|credential|token|card|cv[vc]|ssn|social/i

/** Returns whether the words of a name say that its value is a secret, however they are joined. */
export function namesSecret(name: string): boolean {
  if (!PERHAPS.test(name)) return false
  return SECRET.test(name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\-.]+/g, ' '))
}

/** Names that are too common to name a secret anywhere but in an address. */
const SECRET_IN_ADDRESS = /(?:^|[-_.])(?:key|auth|jwt|pat|pwd|sig|signature)$/i

/** Whether a parameter in the query of an address is a secret by its name, which may be percent-encoded. */
export function namesSecretParameter(name: string): boolean {
  const decoded = decodedName(name)
  return SECRET_IN_ADDRESS.test(decoded) || namesSecret(decoded)
}

function decodedName(name: string): string {
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    // It is not percent-encoded text, so it is what it looks like.
    return name
  }
}

/** A parameter: what comes before it, its name, its value. */
const PARAMETER = /([?&;])([^=?&;#\s"'<>]{1,200})=([^&#\s]+)/g
/** The user name and the password in an address. */
const CREDENTIALS = /([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s:/?#@"'<>]{0,200}):([^\s/?#@"'<>]{1,2000})@/gi

/**
 * Replaces the passwords in the addresses of a text (`scheme://user:password@host`), and the values of parameters in
 * queries whose names name a secret.
 *
 * @param replacement gets each of these values, as it is written there, and the name of its parameter; none for a password
 */
export function replaceAddressSecrets(
  text: string,
  replacement: (value: string, parameter: string | undefined) => string,
): string {
  let result = text
  if (text.includes('@'))
    result = result.replace(CREDENTIALS, (_all, scheme: string, user: string, password: string) => {
      return `${scheme}${user}:${replacement(password, undefined)}@`
    })
  if (!text.includes('=')) return result
  return result.replace(PARAMETER, (all, before: string, name: string, value: string) =>
    namesSecretParameter(name) ? `${before}${name}=${replacement(value, name)}` : all,
  )
}
