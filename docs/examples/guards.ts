import { z } from 'zod'
import { ErrorCode, ProtocolError } from '../../server-core/protocol/errors.ts'
import type { Guard, Interceptor } from '../../server-core/registry/middleware.ts'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

/** A guard decides before the arguments are parsed; a text refuses and says why. */
const onlyReading: Guard = {
  name: 'only-reading',
  allows: (_call, ctx) => ctx.metadata['writes'] !== true || 'this server is read-only today',
}

/** An interceptor wraps the handler and may change its arguments and its result. */
const timed: Interceptor = async (call, next, ctx) => {
  ctx.state['caller'] = ctx.clientInfo?.['name']
  const result = await next()
  return typeof result === 'string' ? `${result} [${call.name}]` : result
}

class NotFound extends Error {}

// Those of the registry wrap everything in it.
const registry = new Registry({
  guards: [onlyReading],
  interceptors: [timed],
  // Makes of what a handler threw the error, or the result, that the client gets.
  mapError: (error) =>
    error instanceof NotFound ? new ProtocolError(ErrorCode.invalidParams, error.message) : undefined,
})

registry.addTool({
  name: 'read',
  input: z.object({ id: z.number() }),
  run: ({ id }, ctx) => {
    if (id !== 1) throw new NotFound(`There is no ${id}.`)
    return `one, for ${String(ctx.state['caller'])}`
  },
})

// `metadata` is for guards and interceptors, and never leaves the server.
registry.addTool({ name: 'write', metadata: { writes: true }, run: () => 'written' })

// Guards of its own are asked after those of the registry.
registry.addTool({
  name: 'secret',
  guards: [{ name: 'named', allows: (call) => call.arguments['word'] === 'sesame' }],
  run: () => 'open',
})

await run(createServer({ registry, info: { name: 'guards', version: '1.0.0' } }))
