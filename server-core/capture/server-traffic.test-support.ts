import { Connection } from './connection.ts'
import { Redaction } from './redaction.ts'
import type { StoredFrame } from './row.ts'
import { ServerTraffic } from './server-traffic.ts'

/** The traffic of one served server that nobody listens to; `folded` has the frames that were not dropped unseen. */
export function serverTraffic(frameBytes: number) {
  const folded: StoredFrame[] = []
  const usage = { cost: 0, rows: 0 }
  const source = { serverId: 'app', serverName: 'This app', side: 'server' } as const
  const server = new ServerTraffic({
    source,
    bounds: { frameBytes, rows: 100_000 },
    usage,
    removed: () => undefined,
    fold: (_, frame) => folded.push({ ...frame, bytes: new Uint8Array(frame.bytes) }),
  })
  return { server, usage, folded, connection: new Connection(source, server.rows, new Redaction()) }
}
