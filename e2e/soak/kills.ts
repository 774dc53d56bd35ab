import { connect } from '../../server-core/client/connect.ts'
import { RUN, runMark } from '../../server-core/processes/process-mark.ts'
import { listProcesses, markedAmong } from '../../server-core/processes/process-table.ts'
import { alive } from '../../server-core/processes/testing/alive.test-support.ts'
import {
  ALL_KINDS,
  stubbornArgs,
  toldPids,
} from '../../server-core/processes/testing/stubborn.test-support.ts'
import { stdioTransport } from '../../server-core/transports/stdio/stdio-client.ts'
import type { Random } from '../random.ts'

/** How many servers run side by side. */
const CONNECTIONS = 4

export type Kills = {
  readonly findings: string[]
  /** Processes that were started below the servers. */
  readonly descendants: number
  /** Milliseconds from the end that was asked for (or a server's own) to the last process of its tree. */
  readonly slowestMs: number
  readonly medianMs: number
}

/** How a connection ends: closed by us, or its server killed by somebody. */
type End = 'closed' | 'killed'

/**
 * Connects to servers whose descendants ignore SIGTERM, in groups and sessions of their own and without parents, ends the
 * connections, and looks for survivors.
 */
export async function soakKills(random: Random, count: number): Promise<Kills> {
  const findings: string[] = []
  const times: number[] = []
  let descendants = 0
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1
      const name = `server ${next}`
      const words = ALL_KINDS.filter(() => random.probability(0.4))
      const plan = random.probability(0.3) ? [...words, 'stubborn'] : words
      const planned = plan.length === 0 ? ['child', 'orphan'] : plan
      // What has no mark is found by its parent only, which somebody who kills it takes away.
      const end: End = random.probability(0.2) && !planned.includes('bare') ? 'killed' : 'closed'
      const { ms, pids, survivors } = await once(planned, end)
      times.push(ms)
      descendants += pids.length - 1
      if (survivors.length > 0)
        findings.push(`${name} (${planned.join(' ')}, ${end}) left ${survivors.join(', ')}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  const left = await markedAmong(await listProcesses(), runMark(RUN))
  if (left.size > 0) findings.push(`at the end ${[...left].join(', ')} still carry a mark of this run`)
  times.sort((one, other) => one - other)
  return { findings, descendants, slowestMs: times.at(-1) ?? 0, medianMs: times[times.length >> 1] ?? 0 }
}

async function once(
  words: readonly string[],
  end: End,
): Promise<{ readonly ms: number; readonly pids: readonly number[]; readonly survivors: readonly number[] }> {
  const up = Promise.withResolvers<readonly number[]>()
  const connection = await connect({
    open: () => {
      const transport = stdioTransport({
        command: process.execPath,
        args: stubbornArgs(words),
        env: {},
        tap: {
          record: ({ kind }) => {
            const pids = kind === 'stderr' ? toldPids(transport.evidence().stderr) : undefined
            if (pids !== undefined) up.resolve(pids)
          },
        },
      })
      return transport
    },
    identity: { name: 'soak', version: '1' },
    protocol: '2025-11-25',
  })
  const pids = await up.promise
  const startedAt = performance.now()
  if (end === 'killed') process.kill(pids[0] ?? 0, 'SIGKILL')
  await connection.close()
  const ms = performance.now() - startedAt
  return { ms, pids, survivors: await alive(pids) }
}
