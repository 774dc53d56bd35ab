import { once } from 'node:events'
import { connectTo } from '../../server-core/client/connect-to.ts'
import { callTool } from '../../server-core/client/requests/call-tool.ts'
import { exampleServer, reader } from './example-server.ts'

const connection = await connectTo(exampleServer('resources'), reader)
const updates = new EventTarget()
connection.onResourceUpdated((uri) => {
  console.log(`${uri} changed`)
  updates.dispatchEvent(new Event('updated'))
})
await connection.subscribe('visits://count')
const updated = once(updates, 'updated')
await callTool(connection, { name: 'visit' })
await updated
await connection.unsubscribe('visits://count')
await connection.close()

const other = await connectTo(exampleServer('changes'), { ...reader, protocol: '2025-11-25' })
const changed = new Promise((resolve) => other.onListChanged(resolve))
await callTool(other, { name: 'unlock' })
console.log(`${String(await changed)} changed`)
await other.close()
