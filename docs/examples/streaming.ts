import { setTimeout as sleep } from 'node:timers/promises'
import { streamed } from '../../server-core/registry/stream.ts'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()

// Each item goes out as progress while the call runs; the result is all texts joined.
registry.addTool({
  name: 'write',
  async *run() {
    for (const word of ['Once ', 'upon ', 'a ', 'time']) {
      await sleep(5)
      yield word
    }
  },
})

// Other items add up as `accumulate` says; a generator may also return the result itself.
registry.addTool({
  name: 'sum',
  run: () => streamed(numbers(), { total: 3, accumulate: (sum, item) => Number(sum ?? 0) + Number(item) }),
})

async function* numbers(): AsyncGenerator<number> {
  for (const number of [1, 2, 3]) {
    await sleep(5)
    yield number
  }
}

// Over HTTP in 2025-11-25 a long call may let go of its connection: the client comes back for the rest.
registry.addTool({
  name: 'patient',
  async run(_args, ctx) {
    ctx.releaseStream(10)
    await sleep(50)
    return 'worth the wait'
  },
})

await run(createServer({ registry, info: { name: 'streaming', version: '1.0.0' } }))
