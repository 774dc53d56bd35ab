import { isSameId } from '../../probe/inbox.ts'
import { serverCheck } from '../../check.ts'
import {
  describeHead,
  headOf,
  isEventStream,
  isRefused,
  isServed,
  wholeResponse,
} from '../http/http-probing.ts'
import type { HttpExchange } from '../../probe/http-exchange.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { elapsed } from '../../probe/waits.ts'

/** Opens the stream by a request of its own and waits for its first event. */
async function openRaw(probe: ServerProbe): Promise<HttpExchange> {
  const stream = probe.http({ method: 'GET', headers: { accept: 'text/event-stream' } })
  await headOf(probe, stream)
  for (const until = performance.now() + probe.waits.answerMs; performance.now() < until;) {
    if (stream.events.length > 0 || stream.isEnded) break
    await elapsed(5)
  }
  return stream
}

export const endpointEvent = serverCheck(
  'sse.server.endpoint-event',
  async (probe) => {
    const stream = await openRaw(probe)
    const head = stream.response
    const frame = stream.responseFrame ?? stream.requestFrame
    if (head === undefined || !isEventStream(head)) {
      probe.fail({
        expected: 'an event stream',
        actual: describeHead(head),
        statement: 'sse.two-endpoints',
        frame,
      })
      return
    }
    const [first] = stream.events
    const data = first?.data?.toString() ?? ''
    const isAddress = data !== '' && !/^[\s{["]/.test(data) && URL.canParse(data, stream.request.url)
    probe.expect(first?.name === 'endpoint' && isAddress, {
      expected: 'an endpoint event first, with an address',
      actual: first === undefined ? 'no event' : `${first.name}: ${shortJson(data)}`,
      statement: 'sse.endpoint-event',
      frame,
    })
  },
  { title: 'The stream begins with the address for messages' },
)

export const messageEvents = serverCheck(
  'sse.server.message-events',
  async (probe) => {
    const connection = await probe.connectSse({ handshake: 'none' })
    const before = connection.stream?.events.length ?? 0
    const request = connection.compose('initialize', {
      protocolVersion: probe.cell.revision,
      capabilities: {},
      clientInfo: { name: 'patchbay-check', version: '1.0.0' },
    })
    const { exchange, frame } = await connection.send(request)
    const head = exchange === undefined ? undefined : await wholeResponse(probe, exchange)
    probe.expect(head !== undefined && isServed(head), {
      expected: 'a 2xx for the POST',
      actual: describeHead(head),
      frame,
    })
    for (const until = performance.now() + probe.waits.answerMs; performance.now() < until;) {
      if ((connection.stream?.events.length ?? 0) > before) break
      await elapsed(5)
    }
    const event = connection.stream?.events.slice(before).find(({ data }) => (data?.length ?? 0) > 0)
    if (event === undefined) probe.timedOut = true
    const inBody = exchange?.responseFrame?.kind === 'message'
    probe.expect(event?.name === 'message', {
      expected: 'the answer as a message event on the stream',
      actual:
        event !== undefined ? `an event "${event.name}"` : inBody ? 'the answer in the POST' : 'no event',
      frame: event?.frame ?? exchange?.responseFrame ?? frame,
    })
  },
  { title: 'Answers come as message events on the stream' },
)

export const sessionIsolation = serverCheck(
  'sse.server.session-isolation',
  async (probe) => {
    const first = await probe.connectSse()
    const second = await probe.connectSse()
    const request = first.compose('ping', undefined, { id: 'patchbay-isolated' })
    const outcome = await first.exchange(request)
    const stray = second.received.find(({ message }) => isSameId(message['id'], request.id))
    probe.expect(stray === undefined, {
      expected: 'the answer on the first stream alone',
      actual: 'the answer on another stream',
      frame: stray === undefined ? outcome.sent : [outcome.sent, stray.frame],
    })
    probe.expect(outcome.type === 'result', {
      expected: 'the answer on the stream whose address was used',
      actual: describeOutcome(outcome),
      frame: outcome.frame ?? outcome.sent,
    })
    const unknown = new URL(first.endpoint)
    for (const name of unknown.searchParams.keys()) unknown.searchParams.set(name, 'patchbay-unknown')
    if (unknown.href === first.endpoint) unknown.pathname = `${unknown.pathname}/patchbay-unknown`
    const exchange = first.http({
      method: 'POST',
      url: unknown.href,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    const head = await headOf(probe, exchange)
    probe.expect(head !== undefined && isRefused(head), {
      expected: 'a 4xx for an unknown session',
      actual: describeHead(head),
      frame: exchange.responseFrame ?? exchange.requestFrame,
    })
  },
  { title: 'Answers stay on the stream whose address was used' },
)

export const closedStream = serverCheck(
  'sse.server.closed-stream',
  async (probe) => {
    const connection = await probe.connectSse()
    const { endpoint } = connection
    connection.stream?.close()
    let head
    let exchange: HttpExchange | undefined
    // The server may take a moment to see the end.
    for (let count = 0; count < 10; count += 1) {
      await elapsed(50)
      exchange = connection.http({
        method: 'POST',
        url: endpoint,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: `late-${count}`, method: 'ping' }),
      })
      head = await headOf(probe, exchange)
      if (head === undefined || head.status >= 400) break
    }
    if (head !== undefined && head.status < 400) {
      probe.warn({
        expected: 'a 4xx for the address of a stream that was closed',
        actual: describeHead(head),
        frame: exchange?.responseFrame ?? exchange?.requestFrame,
      })
    }
    const stream = await openRaw(probe)
    probe.expect(
      stream.events.some(({ name }) => name === 'endpoint'),
      {
        expected: 'a new stream that works',
        actual: describeHead(stream.response),
        frame: stream.responseFrame ?? stream.requestFrame,
      },
    )
  },
  { title: 'A message for a closed stream ends nothing' },
)
