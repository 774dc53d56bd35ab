import {
  isMainThread,
  MessageChannel,
  threadId,
  Worker,
  workerData,
  type MessagePort,
} from 'node:worker_threads'
import { messagePortEndpoint } from '../../server-core/registry/port/message-endpoint.ts'
import { portRegistry } from '../../server-core/registry/port/port-registry.ts'
import { serveInvocations } from '../../server-core/registry/port/serve-invocations.ts'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

if (isMainThread) await serveFromHere()
else runHandlers()

/** The server is here. When the thread ends, the calls in it fail and the next call starts another. */
async function serveFromHere(): Promise<void> {
  const registry = await portRegistry({
    open: () => {
      const { port1, port2 } = new MessageChannel()
      new Worker(new URL(import.meta.url), { workerData: port2, transferList: [port2] })
      return Promise.resolve(messagePortEndpoint(port1))
    },
    onGone: (reason) => console.error(`the thread ${reason}`),
  })
  await run(createServer({ registry, info: { name: 'threads', version: '1.0.0' } }))
  await registry.stop()
}

/** The handlers are in a thread of their own, with all that they can ask for: a loop there stops no other call. */
function runHandlers(): void {
  const registry = new Registry()
  registry.addTool({
    name: 'where',
    run: async (_args, ctx) => {
      await ctx.store.set('seen', true)
      return `in thread ${threadId}`
    },
  })
  registry.addTool({
    name: 'crash',
    run: () => {
      process.exit(1)
    },
  })
  serveInvocations(messagePortEndpoint(workerData as MessagePort), registry)
}
