/**
 * The server that is measured: ours, with its defaults. `node dist/bench/server.js --transport http|stdio|sse|ws
 * --port N --tools N --page N [--tap memory|disk|off]`.
 */
import { keepYoungGenerationSmall } from '../../server-core/processes/young-generation.ts'
import { createServer, type McpServer } from '../../server-core/server/server.ts'
import { TrafficLog } from '../../server-core/capture/traffic-log.ts'
import { NO_TAP, type Tap } from '../../server-core/ports/tap.ts'
import { readOptions, type BenchOptions } from './options.ts'
import { benchRegistry } from './registry.ts'

const options = readOptions(process.argv.slice(2), process.env)
const server = createServer({
  registry: benchRegistry(options.tools),
  info: { name: 'patchbay-bench', version: '1.0.0' },
  limits: { pageItems: options.page === 0 ? options.tools + 10 : options.page },
})
// As `patchbay serve` does.
setTimeout(keepYoungGenerationSmall, 100).unref()
const tap = await tapOf(options)
if (options.transport === 'stdio') await serveStdio(server, tap)
else await listen(server, tap, options)

async function tapOf({ tap: seenBy, transport }: BenchOptions): Promise<Tap> {
  switch (seenBy) {
    case 'off':
      return NO_TAP
    case 'memory':
      return new TrafficLog().tap({ serverId: 'bench', serverName: 'bench', side: 'server' })
    case 'disk': {
      const { temporaryRecorder } = await import('./temporary-recorder.ts')
      return (await temporaryRecorder()).tap({
        serverName: 'bench',
        side: 'server',
        transport: transport === 'stdio' ? 'stdio' : 'http',
      })
    }
  }
}

async function serveStdio(served: McpServer, seenBy: Tap): Promise<void> {
  const { claimStandardOutput, stdioServerLink } =
    await import('../../server-core/transports/stdio/stdio-server.ts')
  served.attach(stdioServerLink({ input: process.stdin, output: claimStandardOutput(), tap: seenBy }))
}

async function listen(served: McpServer, seenBy: Tap, { port, transport }: BenchOptions): Promise<void> {
  const { startHttpListener } = await import('../../server-core/listener/http-listener.ts')
  const routes = { mcp: transport === 'http', sse: transport === 'sse', ws: transport === 'ws' }
  await startHttpListener({ server: served, port, tap: seenBy, routes })
}
