import { connectTo } from '../../server-core/client/connect-to.ts'
import { ConnectError } from '../../server-core/client/errors.ts'
import { callTool } from '../../server-core/client/requests/call-tool.ts'
import { reader } from './example-server.ts'

const [url = 'http://127.0.0.1:4040/mcp'] = process.argv.slice(2)

// Streamable HTTP, then HTTP+SSE. Why there is no connection is said with what was tried and seen.
try {
  await connectTo({ transport: 'auto', url }, reader)
} catch (error) {
  if (!(error instanceof ConnectError)) throw error
  console.log(error.code, error.evidence.httpStatus, error.steps.length)
  await error.ended
}

const headers = { authorization: 'Bearer example-token' }
const connection = await connectTo({ transport: 'http', url, headers }, reader)
const call = await callTool(connection, { name: 'hello' })
if (call.type === 'result') console.log(JSON.stringify(call.result['content']))
await connection.close()
