/**
 * The client that is measured: ours, with its defaults, against a server with the tool `add`. `node dist/bench/client.js
 * --transport http|stdio|ws [--tap memory|off] [--protocol REVISION]`; `BENCH_URL` says where the server is, and
 * `BENCH_COMMAND` (a JSON array) how it is started.
 */
import { parseArgs } from 'node:util'
import { connect } from '../../server-core/client/connect.ts'
import { revisionRow } from '../../server-core/protocol/revisions.ts'
import { TrafficLog } from '../../server-core/capture/traffic-log.ts'
import { transportsFor, type ServerAddress } from '../../server-core/transports/opener.ts'
import { serveLoop } from './closed-loop.ts'

const { values } = parseArgs({
  options: {
    transport: { type: 'string', default: 'http' },
    tap: { type: 'string', default: 'memory' },
    protocol: { type: 'string', default: 'auto' },
  },
})
const tap = new TrafficLog().tap({ serverId: 'bench', serverName: 'bench', side: 'client' })
const connection = await connect({
  ...transportsFor(addressOf(values.transport), values.tap === 'off' ? {} : { tap }),
  identity: { name: 'patchbay-bench', version: '1.0.0' },
  protocol: revisionRow(values.protocol)?.revision ?? 'auto',
})
await serveLoop(async (a, b) => {
  const { result } = await connection.request('tools/call', { name: 'add', arguments: { a, b } })
  return textOf(result['content'])
})
await connection.close()

function addressOf(transport: string): ServerAddress {
  const url = process.env['BENCH_URL'] ?? ''
  if (transport === 'http') return { transport: 'http', url }
  if (transport === 'ws') return { transport: 'websocket', url }
  const words: unknown = JSON.parse(process.env['BENCH_COMMAND'] ?? '[]')
  const [command = '', ...args] = Array.isArray(words) ? words.map(String) : []
  return { transport: 'stdio', command, args, env: {} }
}

function textOf(content: unknown): unknown {
  const [first] = Array.isArray(content) ? (content as readonly unknown[]) : []
  return typeof first === 'object' && first !== null && 'text' in first ? first.text : undefined
}
