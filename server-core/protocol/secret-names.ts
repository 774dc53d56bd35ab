/** Words that name a secret. */
const SECRET =
  /pass(?:word|phrase|code)|\bpin\b|secret|api ?key|access ?key|private ?key|credential|(?:access|auth|bearer|refresh|session) ?token|\btoken\b|credit ?card|card ?number|\bcvv\b|\bcvc\b|\bssn\b|social ?security/i
/** What is in all of them, so that most names are looked at once. */
const PERHAPS = /pass|pin|secret|key|credential|token|card|cv[vc]|ssn|social/i

/** Whether the words of a name say that what stands there is a secret, however they are joined. */
export function namesSecret(name: string): boolean {
  if (!PERHAPS.test(name)) return false
  return SECRET.test(name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\-.]+/g, ' '))
}
