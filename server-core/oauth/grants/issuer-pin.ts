import { OAuthError } from '../oauth-error.ts'
import type { GrantContext } from '../grant.ts'
import type { GrantSecrets } from './grant-secrets.ts'

/**
 * Shows credentials to one authorization server alone: the first that the server named. A server that names another
 * one later gets nothing, as it could name one of its own (specification: Authorization Server Binding).
 */
export async function pinIssuer(context: GrantContext, secrets: GrantSecrets): Promise<void> {
  const { server } = context
  const pinned = await secrets.get('issuer')
  if (pinned === server.issuer) return
  if (pinned === undefined) {
    await secrets.set('issuer', server.issuer)
    context.note(
      'client',
      `The credentials belong to ${server.issuer} from now on.`,
      'They were used nowhere yet, and are shown to no other authorization server.',
    )
    return
  }
  throw new OAuthError(
    'issuer-mismatch',
    `The server names the authorization server ${server.issuer} now, and the credentials belong to ${pinned}. They are not shown to another one. If the change is right, save the authorization settings of this server again.`,
  )
}
