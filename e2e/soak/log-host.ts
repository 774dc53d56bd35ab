/**
 * A host that calls a tool until the given number of frames has passed, while a window watches. Prints what that took
 * as a line of JSON.
 */
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startTestHost, type HostClient } from '../../server-core/host/host.test-support.ts'
import { keepHostMemorySmall } from '../../server-core/processes/host-memory.ts'

const FRAMES_OF_CALL = 100_000
/** A window draws what it got before it asks for more. */
const DRAWING_MS = 16
const TICK_MS = 2
/** A batch with fewer rows is the newest. */
const ROWS_OF_BATCH = 1_000

keepHostMemorySmall()
const frames = Number(process.argv[2])
const testHost = await startTestHost()
const { client } = testHost
const { id } = await testHost.addApproved({
  name: 'flood',
  target: {
    transport: 'stdio',
    command: process.execPath,
    args: [path.join(import.meta.dirname, 'flood-server.ts')],
    env: [],
  },
})
const watching = watchAsWindow(client)
await client.servers.connect({ id })

const delay = monitorEventLoopDelay({ resolution: TICK_MS })
delay.enable()
const turns = longestTurn()
let memory = 0
for (let left = frames; left > 0; left -= FRAMES_OF_CALL) {
  await client.inspect.request({
    serverId: id,
    callId: `flood-${left}`,
    method: 'tools/call',
    paramsText: JSON.stringify({ name: 'flood', arguments: { count: Math.min(left, FRAMES_OF_CALL) } }),
    timeoutMs: 600_000,
  })
  memory = Math.max(memory, process.resourceUsage().maxRSS * 1_024)
}
delay.disable()
const { bytes, sent, counts } = await watching.end()
console.log(
  JSON.stringify({
    stallMs: delay.max / 1e6,
    p99Ms: delay.percentile(99) / 1e6,
    cpuStallMs: turns.end(),
    megabytes: memory / 1_048_576,
    sentMegabytes: bytes / 1_048_576,
    sent,
    kept: counts.frames,
    dropped: counts.dropped,
  }),
)
await testHost.close()

/** Receives batches as the window does, each as the text that would be sent to it. */
function watchAsWindow(host: HostClient) {
  const stream = 'window'
  let counts = { frames: 0, bytes: 0, dropped: 0 }
  let bytes = 0
  let sent = 0
  const over = new AbortController()
  const watched = (async () => {
    for await (const batch of await host.events.watch({ stream })) {
      bytes += JSON.stringify(batch).length
      sent += batch.exchanges?.length ?? 0
      counts = batch.counts ?? counts
      await new Promise((resolve) => setTimeout(resolve, DRAWING_MS))
      await host.events.acknowledge({ stream, seq: batch.seq })
      if (over.signal.aborted && (batch.exchanges?.length ?? 0) < ROWS_OF_BATCH) return
    }
  })()
  return {
    end: async () => {
      over.abort()
      // A change to publish, so that the last batch is sent.
      await host.inspect.request({ serverId: id, callId: 'last', method: 'ping', paramsText: '{}' })
      await watched
      return { bytes, sent, counts }
    },
  }
}

/** Measures the most CPU time that passed between two ticks, which a busy machine does not lengthen. */
function longestTurn() {
  let longest = 0
  let before = cpuMs()
  const timer = setInterval(() => {
    const now = cpuMs()
    longest = Math.max(longest, now - before)
    before = now
  }, TICK_MS)
  return {
    end: (): number => {
      clearInterval(timer)
      return longest
    },
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
