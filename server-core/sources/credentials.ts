import { CompositionError } from './composition-error.ts'
import type { Confidential } from './config-data.ts'

/** Returns a secret of the workspace; undefined if there is none of that name. */
export type SecretOf = (name: string) => Promise<string | undefined>

/** The text, or the secret that it names. Rejects with a `CompositionError` if there is no such secret. */
export async function revealed(value: Confidential, secretOf: SecretOf): Promise<string> {
  if (typeof value === 'string') return value
  const secret = await secretOf(value.secret)
  if (secret !== undefined) return secret
  const message = `there is no secret "${value.secret}": the environment variable ${value.secret} has to be set where Patchbay is started`
  throw new CompositionError('configuration', message)
}
