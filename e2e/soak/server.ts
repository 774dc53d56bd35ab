/**
 * The server under soak: the product with its defaults and a few tools. `--stdio` serves standard input; otherwise it
 * serves the network transports on one port and prints their addresses as one line of JSON.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { startHttpListener } from '../../server-core/listener/http-listener.ts'
import { claimStandardOutput, stdioServerLink } from '../../server-core/transports/stdio/stdio-server.ts'

const NONCE = {
  type: 'object',
  properties: { nonce: { type: 'string' } },
  required: ['nonce'],
} as const

const registry = new Registry()
registry.addTool({ name: 'echo', input: NONCE, run: ({ nonce }) => String(nonce) })
const releases = new Map<unknown, PromiseWithResolvers<void>>()

/** What calls of `later` with this nonce wait for, whichever of the two comes first. */
function releaseOf(nonce: unknown): PromiseWithResolvers<void> {
  const release = releases.get(nonce) ?? Promise.withResolvers()
  releases.set(nonce, release)
  return release
}

registry.addTool({
  name: 'later',
  input: NONCE,
  run: async ({ nonce }) => {
    await releaseOf(nonce).promise
    return String(nonce)
  },
})
registry.addTool({
  name: 'release',
  input: NONCE,
  run: ({ nonce }) => {
    releaseOf(nonce).resolve()
    return String(nonce)
  },
})
registry.addTool({
  name: 'count',
  input: NONCE,
  run: async ({ nonce }, context) => {
    for (let step = 1; step <= 3; step += 1) {
      context.progress(step, 3, String(nonce))
      await nextTurn()
    }
    return String(nonce)
  },
})
registry.addTool({
  name: 'ask',
  input: NONCE,
  run: async ({ nonce }, context) => {
    const answer = await context.elicit(String(nonce), {
      type: 'object',
      properties: { back: { type: 'string' } },
      required: ['back'],
    })
    return `${String(nonce)} ${JSON.stringify(answer)}`
  },
})

const server = createServer({ registry, info: { name: 'soak', version: '1.0.0' } })
if (process.argv.includes('--stdio')) {
  const link = stdioServerLink({ input: process.stdin, output: claimStandardOutput() })
  await server.attach(link).closed
  await server.close()
} else {
  const listener = await startHttpListener({
    server,
    port: 0,
    routes: { mcp: true, sse: true, ws: true },
  })
  process.stdout.write(`${JSON.stringify(listener.urls)}\n`)
  process.once('SIGTERM', () => {
    void listener.close().then(() => server.close())
  })
}
