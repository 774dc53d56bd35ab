import type { JsonObject } from '../../../protocol/json.ts'
import { clientCheck, serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import { HttpConnection } from '../../probe/http-connection.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { describeOutcome } from '../../probe/outcome.ts'

const DEPTH = 20_000
const SERVICE_MS = 30_000
const BIG_TEXT = 5_000_000
const MEMBERS = 100_000

/** Values that are hard to bear, as JSON text: what nests so deep cannot be written by JSON.stringify. */
function hardValues(): readonly { readonly what: string; readonly json: string }[] {
  const members = Array.from({ length: MEMBERS }, (_, index) => `"m${index}":0`)
  return [
    { what: `${DEPTH} levels`, json: `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}` },
    { what: `a text of ${BIG_TEXT} characters`, json: `"${'x'.repeat(BIG_TEXT)}"` },
    { what: `${MEMBERS} members`, json: `{${members.join(',')}}` },
  ]
}

const PLACE = '"patchbay-place"'

export const deepNesting = serverCheck(
  'base.deep-nesting',
  async (probe) => {
    for (const { what, json } of hardValues()) {
      const connection = await probe.connect()
      const { text, headers } = requestWith(probe, connection)
      const outcome = await connection.exchange(
        text.replace(PLACE, () => json),
        {
          match: 'any',
          timeoutMs: SERVICE_MS,
          ...(headers !== undefined && { headers }),
        },
      )
      const status = outcome.http?.status ?? 0
      const frame = outcome.sent
      if (outcome.type === 'closed') {
        // A transport may end a connection on which too much came; the server has to serve the next.
        probe.expect(probe.cell.transport !== 'stdio', {
          expected: `a server that survives ${what}`,
          actual: describeOutcome(outcome),
          statement: 'json-schema.bounds',
          frame,
        })
      } else {
        const isAnswered = outcome.type === 'result' || outcome.type === 'error'
        probe.expect(isAnswered || (status >= 400 && status < 500), {
          expected: `${what} served, or refused by an error`,
          actual: describeOutcome(outcome),
          statement: 'jsonrpc.invalid-params',
          frame,
        })
      }
      const fresh = connection.closedReason === undefined ? connection : await probe.connect()
      const { method } = probe.cheapRequest()
      const next = await fresh.call(method, {}, { timeoutMs: SERVICE_MS })
      probe.expect(next.type === 'result', {
        expected: `the next request served after ${what}`,
        actual: describeOutcome(next),
        statement: 'json-schema.bounds',
        frame: [next.sent, frame],
      })
    }
  },
  { title: 'Deep, long and wide values do no harm', slow: true },
)

function requestWith(
  probe: ServerProbe,
  connection: ProbeConnection,
): { readonly text: string; readonly headers: Record<string, string> | undefined } {
  const echo = probe.findFixture('echo')
  const place = { a: 'patchbay-place' }
  const params: JsonObject =
    echo === undefined
      ? { name: 'patchbay_unknown_tool', arguments: place }
      : { name: echo.name, arguments: { ...echo.arguments, ...place } }
  const message = connection.compose('tools/call', params)
  const headers = connection instanceof HttpConnection ? connection.headersFor(message) : undefined
  return { text: JSON.stringify(message), headers }
}

export const deepNestingClient = clientCheck(
  'base.deep-nesting',
  async (exam) => {
    const values = hardValues()
    exam.on('tools/call', (turn) => {
      const usual = turn.usual()
      const result = { ...('result' in usual ? usual.result : {}), structuredContent: 'patchbay-place' }
      const text = JSON.stringify({ jsonrpc: '2.0', id: turn.request['id'], result })
      return { bytes: text.replace(PLACE, () => values[turn.count % values.length]?.json ?? '{}') }
    })
    await exam.connect()
    for (const { what } of values) {
      const call = exam.step({ type: 'call', tool: 'echo', arguments: { text: 'a' }, timeoutMs: SERVICE_MS })
      await call
      let next = await exam.step({ type: 'list', list: 'tools' })
      if (next.type === 'failed' && exam.connections.at(-1)?.closedReason !== undefined) {
        // A client may end a connection on which too much came.
        next = await exam.step({ type: 'connect' })
      }
      exam.expect(next.type === 'done', {
        expected: `a client that goes on after ${what} in a result`,
        actual: next.type === 'failed' ? next.message : '',
        statement: 'json-schema.bounds',
        frame: exam.messagesOf('tools/call').at(-1)?.frame,
      })
    }
  },
  { title: 'Deep, long and wide values do no harm', slow: true },
)
