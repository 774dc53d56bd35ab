import { z } from 'zod'

const toolNames = z.array(z.string().min(1))

const proxiedServerSchema = z
  .strictObject({
    server: z.string().min(1).optional().describe('Name of the stored server. Default: the alias.'),
    include: toolNames.optional().describe('Tools to expose: names or patterns such as read_*.'),
    exclude: toolNames.optional().describe('Tools to omit: names or patterns.'),
    rename: z.record(z.string(), z.string().min(1)).optional().describe('New names, by the old ones.'),
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
