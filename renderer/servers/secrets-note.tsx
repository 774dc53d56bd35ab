import { useAppInfo } from '../host/live.ts'
import { SafeText } from '../text/safe-text.tsx'

/** Where what is secret is kept, as one sentence; nothing until the host told. Stands where a secret is typed. */
export function SecretsNote() {
  const secrets = useAppInfo()?.secrets
  return secrets === undefined ? null : <SafeText>{`Secrets are kept ${secrets}.`}</SafeText>
}
