import { connectTo } from '../../server-core/client/connect-to.ts'
import { PeerError, RequestFailedError } from '../../server-core/client/errors.ts'
import { callTool } from '../../server-core/client/requests/call-tool.ts'
import { exampleServer, reader } from './example-server.ts'

const listeners = { log: ({ level, data }: { level: string; data: unknown }) => console.log(level, data) }
const connection = await connectTo(exampleServer('progress'), { ...reader, listeners })

const counted = await callTool(
  connection,
  { name: 'count', arguments: { to: 2 } },
  {
    onProgress: ({ progress, total }) => console.log(`${progress} of ${total}`),
    logLevel: 'info',
    // Progress starts this again; `maximumMs` holds whatever comes.
    timeoutMs: 5_000,
    maximumMs: 60_000,
  },
)
if (counted.type === 'result') console.log(counted.outputCheck.state, counted.result['isError'] ?? false)

// Cancelled as revision and transport have it: a notification, or the end of the HTTP stream.
const patience = AbortSignal.timeout(100)
const long = { name: 'count', arguments: { to: 9, pauseMs: 10_000 } }
await callTool(connection, long, { signal: patience }).catch((error: unknown) => {
  if (error instanceof RequestFailedError) console.log(error.code)
})

// The server's own error keeps its code and data.
await callTool(connection, { name: 'missing' }).catch((error: unknown) => {
  if (error instanceof PeerError) console.log(error.code)
})
await connection.close()
