import { isSameId } from '../../probe/inbox.ts'
import { shortJson } from '../../probe/outcome.ts'
import { passiveCheck, serverCheck } from '../../check.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import type { HttpExchange } from '../../probe/http-exchange.ts'
import {
  describeHead,
  hasEnded,
  headOf,
  isAnswer,
  isEventStream,
  messagesOf,
  streamedCall,
} from './http-probing.ts'

const PARALLEL = 10

export const sseComplete = serverCheck(
  'http.server.sse-complete',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    const { method } = probe.cheapRequest()
    const requests = Array.from(
      { length: PARALLEL },
      (_, index) => streamedCall(probe, connection, `token-${index}`) ?? connection.compose(method),
    )
    const sent = await Promise.all(requests.map((request) => connection.send(request)))
    const streams = await Promise.all(
      sent.map(async ({ exchange, frame }, index) => {
        if (exchange === undefined || !isEventStream(await headOf(probe, exchange))) return false
        judgeStream(exchange, requests[index]?.['id'], frame, await hasEnded(exchange, probe.waits.answerMs))
        return true
      }),
    )
    if (!streams.includes(true)) probe.inconclusive('no request was answered by an event stream')

    function judgeStream(exchange: HttpExchange, id: unknown, frame: CapturedFrame, ended: boolean): void {
      const answers = messagesOf(exchange.events).filter(isAnswer)
      const foreign = answers.find((message) => !isSameId(message['id'], id))
      probe.expect(foreign === undefined, {
        expected: 'the response to the request of this stream alone',
        actual: shortJson(foreign),
        member: '/id',
        statement: 'http.post.sse-eventual-response',
        frame: [frame, ...exchange.events.flatMap(({ frame: each }) => each ?? [])],
      })
      const isPolled =
        probe.cell.revision === '2025-11-25' && exchange.events.some((event) => event.id !== undefined)
      if (answers.length === 0) {
        if (ended && isPolled) return
        if (!ended) probe.timedOut = true
        probe.fail({
          expected: 'the response on the stream',
          actual: ended ? 'a stream that ended before it' : 'none in time',
          statement: ended ? 'http.post.sse-no-early-close' : 'http.post.sse-eventual-response',
          frame,
        })
      } else if (!ended) {
        probe.timedOut = true
        probe.warn({
          expected: 'the end of the stream after the response',
          actual: `an open stream ${probe.waits.answerMs} ms later`,
          statement: probe.isModern ? 'http26.sse.response-ends' : 'http.post.sse-close-after',
          frame: exchange.events.at(-1)?.frame ?? frame,
        })
      }
    }
  },
  { title: 'An event stream holds its response and then ends' },
)

const CALLS = 20

export const getStream = serverCheck(
  'http.server.get-stream',
  async (probe) => {
    const connection = await probe.connectHttp()
    const { stream } = connection
    if (stream?.response === undefined || !isEventStream(stream.response))
      return probe.notApplicable(`the server offers no stream by GET: ${describeHead(stream?.response)}`)
    const { method } = probe.cheapRequest()
    const calls = Array.from({ length: CALLS }, (_, index) =>
      connection.exchange(
        (index % 2 === 0 ? streamedCall(probe, connection, `call-${index}`) : undefined) ??
          connection.compose(method),
      ),
    )
    await Promise.all(calls)
    const answer = stream.events.find(
      ({ frame }) => frame !== undefined && messagesOf([{ name: '', frame }]).some(isAnswer),
    )
    probe.expect(answer === undefined, {
      expected: 'no response on the GET stream',
      actual: shortJson(answer?.frame?.value),
      member: '/id',
      statement: 'http.get.no-response',
      frame: answer?.frame,
    })
    stream.close()
    const after = await connection.call(method)
    probe.expect(after.type === 'result', {
      expected: 'calls that go on after the GET stream was closed',
      actual: after.type,
      statement: 'http.get.close-anytime',
      frame: after.frame ?? after.sent,
    })
  },
  { title: 'The GET stream carries no responses and may be closed' },
)

export const noBroadcast = serverCheck(
  'http.server.no-broadcast',
  async (probe) => {
    const connection = await probe.connectHttp()
    await connection.openStream()
    const calls = ['first', 'second'].flatMap((token) => streamedCall(probe, connection, token) ?? [])
    if (calls.length === 0) probe.inconclusive('no tool was found whose notices can be told apart')
    await Promise.all(calls.map((call) => connection.exchange(call)))
    await probe.connectHttp({ stream: false, handshake: 'initialize' })
    const places = new Map<string, { source: object | undefined; frame: CapturedFrame }>()
    let seen = 0
    for (const { message, source, frame } of connection.received) {
      if (message['method'] === undefined || 'id' in message) continue
      seen += 1
      const key = JSON.stringify(message)
      const known = places.get(key)
      if (known === undefined) places.set(key, { source, frame })
      else
        probe.expect(known.source === source, {
          expected: 'each notification on one stream',
          actual: `${shortJson(message)} on two`,
          statement: 'http.streams.no-broadcast',
          frame: [known.frame, frame],
        })
    }
    if (seen < 3) probe.inconclusive(`${seen} notifications came, which says nothing`)
  },
  { title: 'Each message of the server is on one stream alone' },
)

export const eventIds = passiveCheck(
  'http.server.event-ids',
  (transcript) => {
    const known = new Map<string, CapturedFrame>()
    for (const frame of transcript.examinedFrames(({ http }) => (http?.event?.id ?? '') !== '')) {
      const key = `${frame.connection.number} ${frame.http?.event?.id ?? ''}`
      const first = known.get(key)
      known.set(key, first ?? frame)
      if (first === undefined || Buffer.compare(first.bytes, frame.bytes) === 0) continue
      transcript.fail({
        expected: 'an id of its own for each event of a session',
        actual: `the id "${frame.http?.event?.id ?? ''}" on two events`,
        statement: 'http.events.id-unique',
        frame: [first, frame],
      })
    }
  },
  { title: 'Event ids are unique in a session' },
)
