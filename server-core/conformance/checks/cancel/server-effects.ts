import { isSameId } from '../../probe/inbox.ts'
import { randomUUID } from 'node:crypto'
import { isJsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import type { FixtureTool } from '../../probe/fixture-tools.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { elapsed } from '../../probe/waits.ts'
import { cancelledCall, lasting } from './slow-calls.ts'

/** How long a call lasts that is cancelled. */
const LASTS_MS = 1_500
/** An effect has taken place by then. */
const MARGIN_MS = 700

/** A key of its own keeps the effects of checks that run at once apart, where the tool has one. */
function keyFor({ tool }: FixtureTool): { readonly key?: string } {
  const schema = isJsonObject(tool['inputSchema']) ? tool['inputSchema'] : {}
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  return 'key' in properties ? { key: randomUUID() } : {}
}

/** Calls a tool with a visible effect, cancels it, and says whether the effect came all the same. */
async function effectOfCancelled(probe: ServerProbe, connection: ProbeConnection) {
  const tool = probe.fixture('slow-effect')
  const key = keyFor(tool)
  const look = async () => {
    const args = { look: true, ...key }
    const result = await connection.request('tools/call', { name: tool.name, arguments: args })
    return shortJson(result['content'])
  }
  const before = await look()
  const cancelled = await cancelledCall(connection, tool.name, { ...lasting(tool, LASTS_MS), ...key })
  if (cancelled === undefined) return probe.inconclusive('the call ended before it was cancelled')
  await elapsed(LASTS_MS + MARGIN_MS)
  return { ...cancelled, before, after: await look() }
}

export const stopsWork = serverCheck(
  'cancel.server.stops-work',
  async (probe) => {
    if (probe.isModern && probe.cell.transport === 'http')
      return probe.notApplicable('calls over modern HTTP are cancelled by closing their stream')
    const connection = await probe.connect()
    const { before, after, sent } = await effectOfCancelled(probe, connection)
    if (after === before) return
    probe.warn({
      expected: 'the effect of a cancelled call not to come',
      actual: `${before} became ${after}`,
      statement: 'cancel.receiver-stops',
      frame: sent.frame,
    })
  },
  { title: 'A cancelled call stops its work' },
)

export const httpClose = serverCheck(
  'cancel.http-close',
  async (probe) => {
    const connection = await probe.connectHttp()
    const from = connection.received.length
    const { before, after, sent, id } = await effectOfCancelled(probe, connection)
    if (after !== before)
      probe.warn({
        expected: 'work that stops when its stream is closed',
        actual: `${before} became ${after}`,
        statement: 'cancel.http-stop-work',
        frame: sent.frame,
      })
    for (const { message, frame, source } of connection.received.slice(from)) {
      if (source === sent.exchange || !isSameId(message['id'], id)) continue
      probe.fail({
        expected: 'nothing for a request whose stream was closed',
        actual: shortJson(message),
        statement: 'cancel.http-no-more-messages',
        frame,
      })
    }
  },
  { title: 'A closed stream cancels its request' },
)

export const noAnswer = serverCheck(
  'cancel.server.no-answer',
  async (probe) => {
    const tool = probe.fixture('slow')
    if (probe.isModern && probe.cell.transport === 'http')
      return probe.notApplicable('a request whose stream is closed cannot be answered')
    const connection = await probe.connect()
    const token = 'patchbay-cancelled'
    const cancelled = await cancelledCall(connection, tool.name, lasting(tool, LASTS_MS), {
      progressToken: token,
    })
    if (cancelled === undefined) return probe.inconclusive('the call ended before it was cancelled')
    const barrier = await connection.tryBarrier()
    const afterBarrier = connection.received.length
    if (barrier.type !== 'result') return probe.inconclusive(describeOutcome(barrier))
    await connection.silence(LASTS_MS + MARGIN_MS)
    const report = probe.isModern ? probe.fail.bind(probe) : probe.warn.bind(probe)
    for (const [place, { message, frame }] of connection.received.entries()) {
      const params = isJsonObject(message['params']) ? message['params'] : {}
      const isAnswer = message['method'] === undefined && isSameId(message['id'], cancelled.id)
      const isLate = place >= afterBarrier && params['progressToken'] === token
      if (!isAnswer && !isLate) continue
      report({
        expected: 'nothing for a cancelled request',
        actual: shortJson(message),
        statement: probe.isModern ? 'cancel.stdio-silence' : 'cancel.receiver-no-answer',
        member: isAnswer ? '/id' : '/params/progressToken',
        frame: [frame, cancelled.sent.frame],
      })
    }
  },
  { title: 'A cancelled request is not answered' },
)
