import { z } from 'zod'
import type { ResourceServerOptions } from '../authorization/options.ts'
import { UsageError } from './exit-code.ts'

/** The secret of this server at an authorization server, for those who keep it out of the file. */
const SECRET_VARIABLE = 'PATCHBAY_INTROSPECTION_SECRET'

const texts = z.array(z.string().min(1))
const textsByName = z.record(z.string(), texts)

/** `serve.authorization`: the options of `createResourceServer`, which checks what they mean. */
export const authorizationSchema = z.strictObject({
  resource: z.union([z.string(), z.array(z.string())]),
  authorizationServers: z.array(
    z.strictObject({
      issuer: z.string(),
      jwksUri: z.string().exactOptional(),
      algorithms: texts.exactOptional(),
      introspection: z
        .strictObject({
          endpoint: z.string().exactOptional(),
          clientId: z.string().min(1),
          clientSecret: z.string().min(1).exactOptional(),
          cacheMs: z.int().min(0).exactOptional(),
        })
        .exactOptional(),
    }),
  ),
  audiences: texts.exactOptional(),
  requiredScopes: z
    .strictObject({
      server: texts.exactOptional(),
      methods: textsByName.exactOptional(),
      tools: textsByName.exactOptional(),
      prompts: textsByName.exactOptional(),
    })
    .exactOptional(),
  impliedScopes: textsByName.exactOptional(),
  scopesSupported: texts.exactOptional(),
  name: z.string().exactOptional(),
  documentation: z.string().exactOptional(),
  clockToleranceS: z.number().min(0).exactOptional(),
  keyCooldownMs: z.number().min(0).exactOptional(),
})

/**
 * Puts in the secret for introspection where the file leaves it out: it is then in PATCHBAY_INTROSPECTION_SECRET.
 * Throws a `UsageError` if it is in neither.
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
