import { z } from 'zod'

const toolNames = z.array(z.string().min(1))

const proxiedServerSchema = z
  .strictObject({
    server: z.string().min(1).optional().describe('Name of the stored server. Default: the alias.'),
    prefix: z.string().min(1).optional().describe('Prefix of its tools and prompts. Default: the alias.'),
    separator: z.enum(['.', '_', '__']).optional().describe('Between the prefix and a name. Default: "__".'),
    only: toolNames.optional().describe('Tools to expose: names, patterns such as read_*, or tag:NAME.'),
    except: toolNames.optional().describe('Tools to omit of those.'),
    rename: z.record(z.string(), z.string().min(1)).optional().describe('New names, by the old ones.'),
    include: toolNames.optional().meta({ deprecated: true, description: 'Former name of "only".' }),
    exclude: toolNames.optional().meta({ deprecated: true, description: 'Former name of "except".' }),
  })
  .describe('A stored server, and which of its tools are exposed.')

/** Member `proxy` of `patchbay.json`: the stored servers that `patchbay proxy` exposes as one. */
export const proxyMemberSchema = z
  .strictObject({
    servers: z
      .record(z.string(), proxiedServerSchema)
      .default({})
      .describe('Stored servers by alias; the alias is the prefix of their tools.'),
    pageItems: z.int().min(1).max(100_000).optional().describe('Entries on a page of a list.'),
  })
  .describe('Options of `patchbay proxy`, which exposes several servers as one.')
