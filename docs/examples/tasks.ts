import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()

// The client may take the call as a task, and look for its result later.
registry.addTool({
  name: 'report',
  taskSupport: 'optional',
  task: { ttlMs: 600_000, pollIntervalMs: 50 },
  async run(_args, ctx) {
    for (let part = 1; part <= 3; part += 1) {
      // The status message of the task, while it runs.
      ctx.progress(part, 3, `part ${part}`)
      await sleep(20, undefined, { signal: ctx.signal })
    }
    return 'three parts'
  },
})

// It becomes a task when the handler has found that it can be done, in 2026-07-28.
registry.addTool({
  name: 'order',
  taskSupport: 'optional',
  task: { start: 'by-handler' },
  async run({ item }, ctx) {
    if (item !== 'tea') return `There is no ${String(item)}.`
    ctx.startTask('the kettle is on')
    await sleep(20, undefined, { signal: ctx.signal })
    return 'tea'
  },
})

await run(
  createServer({
    registry,
    info: { name: 'tasks', version: '1.0.0' },
    tasks: { ttlMs: 3_600_000, pollIntervalMs: 1_000 },
  }),
)
