import { parseArgs } from 'node:util'
import type { McpServer } from '../../server-core/server/server.ts'
import type { HttpListenerOptions } from '../../server-core/listener/http-listener.ts'

/**
 * How the examples end: over standard input and output, or with `--port N` over Streamable HTTP, HTTP+SSE and
 * WebSocket on that port. Resolves when the server is closed.
 */
export async function run(server: McpServer, options: Partial<HttpListenerOptions> = {}): Promise<void> {
  const port = portArgument()
  if (port === undefined) await overStdio(server)
  else await overNetwork(server, { port, ...options })
  await server.close()
}

/** The number behind `--port`, undefined if it is not given. Any other value is an error. */
export function portArgument(): number | undefined {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string' } } })
    if (values.port === undefined) return undefined
    if (/^\d{1,5}$/.test(values.port) && Number(values.port) <= 65_535) return Number(values.port)
    console.error(`--port expects a number from 0 to 65535, got "${values.port}"`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
  process.exit(2)
}

async function overStdio(server: McpServer): Promise<void> {
  const { claimStandardOutput, stdioServerLink } =
    await import('../../server-core/transports/stdio/stdio-server.ts')
  await server.attach(stdioServerLink({ input: process.stdin, output: claimStandardOutput() })).closed
}

async function overNetwork(server: McpServer, options: Omit<HttpListenerOptions, 'server'>): Promise<void> {
  const { startHttpListener } = await import('../../server-core/listener/http-listener.ts')
  const routes = { mcp: true, sse: true, ws: true }
  const listener = await startHttpListener({ server, routes, ...options })
  for (const url of Object.values(listener.urls)) console.error(`listening at ${url}`)
  await new Promise((resolve) => process.once('SIGTERM', resolve))
  await listener.close()
}
