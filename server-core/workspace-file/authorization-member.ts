import { z } from 'zod'

const texts = z.array(z.string().min(1))
const textsByName = z.record(z.string(), texts)

/** Member `serve.authorization`: the options of `createResourceServer`, which validates them further. */
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
