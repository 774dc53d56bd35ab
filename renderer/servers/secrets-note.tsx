import { useAppInfo } from '../host/live.ts'
import { SafeText } from '../text/safe-text.tsx'

/** One sentence about where secrets are stored; empty until the host has reported it. */
export function SecretsNote() {
  const secrets = useAppInfo()?.secrets
  return secrets === undefined ? null : <SafeText>{`Secrets are kept ${secrets}.`}</SafeText>
}
