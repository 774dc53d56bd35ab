import { startHttpListener } from '../../listener/http-listener.ts'
import { claimStandardOutput, stdioServerLink } from '../../transports/stdio/stdio-server.ts'
import { createServer } from '../server.ts'
import { fixtureRegistry } from './fixture-registry.test-support.ts'

// One server on standard input and output and on every route of a port, until its input ends or it is interrupted.
const server = createServer({ registry: fixtureRegistry(), info: { name: 'all', version: '1' } })
const listener = await startHttpListener({ server, port: 0, routes: { mcp: true, sse: true, ws: true } })
const attachment = server.attach(stdioServerLink({ input: process.stdin, output: claimStandardOutput() }))
process.once('SIGINT', () => {
  void attachment.close()
})
process.stderr.write(`${JSON.stringify(listener.urls)}\n`)
await attachment.closed
await listener.close()
await server.close()
process.stderr.write('closed\n')
