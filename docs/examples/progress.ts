import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()

registry.addTool({
  name: 'count',
  input: z.object({ to: z.number().int(), pauseMs: z.number().int().default(0) }),
  async run({ to, pauseMs }, ctx) {
    ctx.log.info({ counting: to }, 'counter')
    for (let at = 1; at <= to; at += 1) {
      // Aborted when the client cancels, the connection ends or the time limit passes.
      await sleep(pauseMs, undefined, { signal: ctx.signal })
      ctx.progress(at, to, `${at} of ${to}`)
    }
    return `counted to ${to}`
  },
})

await run(createServer({ registry, info: { name: 'progress', version: '1.0.0' } }))
