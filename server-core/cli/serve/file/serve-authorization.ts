import type { z } from 'zod'
import type { ResourceServerOptions } from '../../../authorization/options.ts'
import type { authorizationSchema } from '../../../workspace-file/authorization-member.ts'
import { UsageError } from '../../output/exit-code.ts'

/** Holds the client secret for introspection if the file does not. */
const SECRET_VARIABLE = 'PATCHBAY_INTROSPECTION_SECRET'

/**
 * Adds the client secret for introspection where the file omits it, from PATCHBAY_INTROSPECTION_SECRET.
 *
 * @param file for errors
 * @throws UsageError if neither has the secret
 */
export function withSecrets(
  { authorizationServers, ...rest }: z.infer<typeof authorizationSchema>,
  file: string,
  secret: string | undefined = process.env[SECRET_VARIABLE],
): ResourceServerOptions {
  return {
    ...rest,
    authorizationServers: authorizationServers.map(({ introspection, ...server }, place) => {
      if (introspection === undefined) return server
      const clientSecret = introspection.clientSecret ?? secret
      if (clientSecret === undefined) {
        const where = `serve.authorization.authorizationServers.${place}.introspection.clientSecret`
        throw new UsageError(`${file}: ${where}: expected a text, or the variable ${SECRET_VARIABLE}`)
      }
      return { ...server, introspection: { ...introspection, clientSecret } }
    }),
  }
}
