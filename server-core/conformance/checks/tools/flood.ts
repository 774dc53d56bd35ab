import { serverCheck } from '../../check.ts'
import { describeOutcome } from '../../probe/outcome.ts'

const CALLS = 2_000
/** How many calls may be open at once. */
const AT_ONCE = 50
const LIMIT_MS = 10_000

export const rateLimit = serverCheck(
  'tools.server.rate-limit',
  async (probe) => {
    if (probe.support.mayFlood !== true) probe.notApplicable('nobody agreed to a flood of calls')
    const { name, arguments: args } = probe.fixture('simple')
    const connection = await probe.connect()
    const total = probe.support.floodCalls ?? CALLS
    const until = performance.now() + LIMIT_MS
    let sent = 0
    let refused = 0
    const send = async (): Promise<void> => {
      while (sent < total && performance.now() < until && connection.closedReason === undefined) {
        sent += 1
        const outcome = await connection.call('tools/call', { name, arguments: args })
        if (outcome.type !== 'result' || outcome.result['isError'] === true) refused += 1
        // Nothing comes any more: the barrier says whether the server still serves.
        if (outcome.type === 'silence') return
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, send))
    const after = await (await serving()).tryBarrier()
    probe.expect(after.type === 'result', {
      expected: `service after ${sent} calls`,
      actual: describeOutcome(after),
      frame: after.frame ?? after.sent,
    })
    if (after.type === 'result' && refused === 0 && sent >= CALLS)
      probe.inform({ expected: 'a limit', actual: `${sent} calls in ten seconds, all of them served` })

    async function serving() {
      return connection.closedReason === undefined ? connection : probe.connect()
    }
  },
  { title: 'A flood of calls is limited, and service recovers', slow: true },
)
