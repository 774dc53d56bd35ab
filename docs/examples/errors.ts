import { ErrorCode, ProtocolError } from '../../server-core/protocol/errors.ts'
import { concealErrors } from '../../server-core/registry/conceal-errors.ts'
import { ResourceNotFoundError } from '../../server-core/registry/errors.ts'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

// Clients receive the message of what a handler throws, never its stack. Where they are strangers, not even that:
// they get a reference, and the log gets the rest.
const registry = new Registry({
  mapError: concealErrors((reference, error, call) =>
    console.error(`${reference} ${call.name}: ${String(error)}`),
  ),
})

// What a tool throws is a result that the model can read.
registry.addTool({
  name: 'connect',
  run: () => {
    throw new Error('no route to db.internal:5432')
  },
})

// A `ProtocolError` goes out as it is: a JSON-RPC error with code, message and data.
registry.addTool({
  name: 'pay',
  run: () => {
    throw new ProtocolError(ErrorCode.invalidParams, 'There is no such account.', { account: 7 })
  },
})

// A missing resource has the code of the client's revision: -32002 or -32602.
registry.addResourceTemplate({
  uriTemplate: 'account://{id}',
  name: 'account',
  read: (_variables, _ctx, uri) => {
    throw new ResourceNotFoundError(uri)
  },
})

await run(createServer({ registry, info: { name: 'errors', version: '1.0.0' } }))
