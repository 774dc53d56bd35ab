import { z } from 'zod'
import { SUPPORTED } from '../protocol/revisions.ts'
import { authorizationSchema } from './authorization-member.ts'
import { isOrigin, SERVE_LOG_LEVELS, MOST_SESSION_TTL } from './serve-values.ts'

const oneOrMore = <Item extends z.ZodType>(item: Item) =>
  z.union([item.transform((one) => [one]), z.array(item)])

const name = z.string().min(1)
const origin = z.string().refine(isOrigin, { error: 'expected an origin such as https://example.com' })
const revisions = oneOrMore(z.enum(SUPPORTED)).refine((list) => list.length > 0, {
  error: `expected one revision at least of ${SUPPORTED.join(', ')}, got none`,
})

/** Member `serve` of `patchbay.json`: the flags of `patchbay serve`, each optional. */
export const serveSchema = z
  .object({
    stdio: z.boolean().optional().describe('Serve over standard input and output.'),
    http: z.boolean().optional().describe('Serve over Streamable HTTP.'),
    sse: z.boolean().optional().describe('Serve over HTTP+SSE, the transport of revision 2024-11-05.'),
    ws: z.boolean().optional().describe('Serve over WebSocket.'),
    all: z.boolean().optional().describe('Serve over every transport.'),
    host: name.optional().describe('Address to listen on. Default: 127.0.0.1.'),
    port: z.int().min(0).max(65_535).optional().describe('Port to listen on; 0 chooses a free one.'),
    token: name.optional().describe('Bearer token that every client must send.'),
    tokens: z
      .record(z.string(), name)
      .optional()
      .describe('Bearer tokens by caller; each caller is a principal.'),
    sessionTtl: z
      .int()
      .min(1)
      .max(MOST_SESSION_TTL)
      .optional()
      .describe('Seconds after which an idle session ends.'),
    enabled: z.boolean().optional().describe('False: the server refuses every request until it is enabled.'),
    allowHost: oneOrMore(name).optional().describe('Further values of the Host header to accept.'),
    allowOrigin: oneOrMore(origin).optional().describe('Origins of web pages that may connect.'),
    logLevel: z
      .enum(SERVE_LOG_LEVELS)
      .optional()
      .describe('Least severity that is logged to standard error.'),
    revision: revisions.optional().describe('Protocol revisions to support. Default: all.'),
    authorization: authorizationSchema
      .optional()
      .describe('OAuth 2.1 authorization: which access tokens are accepted.'),
    record: name.optional().describe('File in this folder to which all messages are recorded.'),
  })
  .describe('Options of `patchbay serve`, as its flags. An untrusted folder can only restrict.')
