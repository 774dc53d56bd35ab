import { parseArgs } from 'node:util'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { ListenError, startHttpListener } from '../../server-core/listener/http-listener.ts'
import { addAskingTools } from './fixtures/asking-tools.ts'
import { addContentTools } from './fixtures/content-tools.ts'
import { addPollingTool } from './fixtures/polling-tool.ts'
import { addPrompts, addResources } from './fixtures/resources-and-prompts.ts'
import { addRoundTools } from './fixtures/round-tools.ts'
import { addTaskTools } from './fixtures/task-tools.ts'

/**
 * `conformance:serve -- --port N`: our own server with what the official conformance suite expects to find. Prints
 * its URL once it listens and ends on SIGTERM or SIGINT.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`--port takes a number from 0 to 65535, got ${values.port}`)
  }
  const registry = new Registry()
  addContentTools(registry)
  addAskingTools(registry)
  addRoundTools(registry)
  addPollingTool(registry)
  addTaskTools(registry)
  addResources(registry)
  addPrompts(registry)
  const server = createServer({ registry, info: { name: 'patchbay-conformance', version: '1.0.0' } })
  // The suite gives the first form of all 600 ms.
  await server.prepare()
  const listener = await startHttpListener({ server, port })
  process.stdout.write(`${listener.url}\n`)
  const end = () => {
    void listener.close().then(() => server.close())
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ListenError || error instanceof RangeError || error instanceof TypeError))
    throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
