import { useAppInfo } from '../host/live.ts'
import { SafeText } from '../text/safe-text.tsx'
import { serversText } from './text.ts'

/** One sentence about where secrets are stored; empty until the host has reported it. */
export function SecretsNote() {
  const secrets = useAppInfo()?.secrets
  return secrets === undefined ? null : (
    <SafeText>{serversText.secretsNote.secretsAreStored(secrets)}</SafeText>
  )
}
