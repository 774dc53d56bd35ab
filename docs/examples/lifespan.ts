import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

type Shared = { readonly folder: string; readonly rows: string[] }

// Made by the first call, cleaned up when the server is closed; every handler gets it as `ctx.lifespan`.
const registry = new Registry<Shared>({
  async *lifespan() {
    const folder = await mkdtemp(path.join(tmpdir(), 'example-'))
    const shared: Shared = { folder, rows: [] }
    yield shared
    console.error(`had ${shared.rows.length} rows`)
    await rm(folder, { recursive: true })
  },
})

registry.addTool({
  name: 'append',
  run: (_args, ctx) => {
    ctx.lifespan.rows.push(`row ${ctx.lifespan.rows.length + 1}`)
    return ctx.lifespan.rows.join(', ')
  },
})

// `ctx.store` is shared too, and is kept outside of the handlers: it survives them where they run elsewhere.
registry.addTool({
  name: 'visit',
  async run(_args, ctx) {
    const before = await ctx.store.get('visits')
    const visits = (typeof before === 'number' ? before : 0) + 1
    await ctx.store.set('visits', visits)
    return `visit ${visits}`
  },
})

const server = createServer({ registry, info: { name: 'lifespan', version: '1.0.0' } })
await run(server)
await registry.stop()
