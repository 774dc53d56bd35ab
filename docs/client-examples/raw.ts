import { connectTo } from '../../server-core/client/connect-to.ts'
import { exampleServer, reader } from './example-server.ts'

const connection = await connectTo(exampleServer('first-server'), { ...reader, protocol: '2025-11-25' })
// Everything that comes, before anything is made of it; `invalid` is what could not be parsed.
connection.on('received', ({ value }) => console.log('received', JSON.stringify(value)))

const { answers, unanswered } = await connection.sendRaw({ jsonrpc: '2.0', id: 'mine', method: 'ping' })
console.log(answers.length, unanswered.length)
await connection.sendRaw('this is not JSON', { waitMs: 0 })
await connection.request('ping')
await connection.close()
