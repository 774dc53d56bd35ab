import { callTool, connect, connectTo, type Connection } from '../../api/client.ts'
import { memoryPair } from '../../api/memory.ts'
import { createProxy } from '../../api/server.ts'
import { exampleServer, reader } from './example-server.ts'

// Several servers, each with its own prefix and, if wanted, a choice of its tools.
const bridge = createProxy({
  info: reader.identity,
  patienceMs: 60_000,
  servers: [
    { alias: 'sums', open: (parts) => connectTo(exampleServer('first-server'), { ...reader, ...parts }) },
    {
      alias: 'library',
      open: (parts) => connectTo(exampleServer('tool-definitions'), { ...reader, ...parts }),
      tools: { except: ['station'] },
    },
  ],
})

// One connection to all of them: names and schemas for a model, and calls by those names.
const pair = memoryPair()
bridge.attach(pair.server)
const tools: Connection = await connect({ ...reader, open: () => pair.client })
const { items } = await tools.listTools()
console.log(items.map(({ name }) => name).join(' '))
const called = await callTool(tools, { name: 'sums__add', arguments: { a: 40, b: 2 } })
if (called.type === 'result') console.log(JSON.stringify(called.result['content']))

await tools.close()
await bridge.close()
