import { connectTo } from '../../server-core/client/connect-to.ts'
import { callTool } from '../../server-core/client/requests/call-tool.ts'
import { exampleServer, reader } from './example-server.ts'

const connection = await connectTo(exampleServer('first-server'), {
  ...reader,
  startTimeoutMs: 60_000,
  retries: 1,
})
console.log(connection.revision, connection.serverInfo?.['name'])
for (const { step, outcome } of connection.steps) console.log(`${step}: ${outcome}`)

const call = await callTool(connection, { name: 'add', arguments: { a: 40, b: 2 } })
if (call.type === 'result') console.log(JSON.stringify(call.result['content']))
await connection.close()

// A revision that is insisted on is spoken, or there is no connection.
const older = await connectTo(exampleServer('first-server'), { ...reader, protocol: '2025-03-26' })
console.log(older.revision)
await older.close()
