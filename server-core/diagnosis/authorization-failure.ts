import { OAuthError } from '../oauth/oauth-error.ts'
import { TransportError } from '../ports/contract.ts'

/** Returns whether a failure is for lack of authorization, whatever layers it came through. */
export function isAuthorizationFailure(error: unknown): boolean {
  let each = error
  for (let depth = 0; depth < 8 && each instanceof Error; depth += 1, each = each.cause) {
    if (each instanceof OAuthError) return true
    if (each instanceof TransportError && each.code === 'unauthorized') return true
  }
  return false
}
