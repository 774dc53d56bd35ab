import { expect, it } from 'vitest'
import { connect } from '../client/connect.ts'
import { callTool } from '../client/requests/call-tool.ts'
import { createServer } from '../server/server.ts'
import { memoryPair } from '../transports/memory/memory-link.ts'
import { Registry } from './registry.ts'

it.each([
  ['info', 'ctx.log.info(data, logger?)'],
  ['warn', 'ctx.log.warning(data, logger?)'],
  ['reportProgress', 'ctx.progress(progress, total?, message?)'],
])('ctx.%s() says what to use instead', async (name, instead) => {
  const registry = new Registry()
  registry.addTool({
    name: 'habit',
    run: (_args, ctx) => {
      const member: unknown = Reflect.get(ctx, name)
      if (typeof member === 'function') Reflect.apply(member, ctx, ['hello'])
      return 'done'
    },
  })
  const server = createServer({ registry, info: { name: 'test', version: '1' } })
  const pair = memoryPair()
  server.attach(pair.server)
  const client = await connect({ open: () => pair.client, identity: { name: 'test', version: '1' } })
  const call = await callTool(client, { name: 'habit' })
  expect(JSON.stringify(call)).toContain(`ctx.${name} does not exist here: use ${instead}`)
  await client.close()
  await server.close()
})
