import { isSameId } from '../../probe/inbox.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { HttpConnection } from '../../probe/http-connection.ts'
import type { HttpExchange, StreamEvent } from '../../probe/http-exchange.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { elapsed } from '../../probe/waits.ts'
import {
  describeHead,
  firstMessageEvent,
  hasEnded,
  headOf,
  isAnswer,
  isEventStream,
  isRefused,
  messagesOf,
  streamedCall,
} from './http-probing.ts'

type Cut = { readonly request: JsonObject; readonly exchange: HttpExchange; readonly event: StreamEvent }

/** Begins a call that is answered by a stream, and waits for its first event with an id. */
async function beginCall(probe: ServerProbe, connection: HttpConnection, token: string): Promise<Cut> {
  const request = streamedCall(probe, connection, token)
  if (request === undefined) return probe.inconclusive('no tool was found that reports progress')
  const { exchange } = await connection.send(request)
  const event = exchange === undefined ? undefined : await firstMessageEvent(probe, exchange)
  if (exchange === undefined || event?.id === undefined)
    return probe.inconclusive('the server sends no event ids')
  return { request, exchange, event }
}

/** Resumes a stream, and waits for the response of the call or the end. */
async function resume(probe: ServerProbe, connection: HttpConnection, id: string): Promise<HttpExchange> {
  const stream = await connection.openStream({ 'last-event-id': id })
  for (const until = performance.now() + probe.waits.answerMs; performance.now() < until;) {
    if (stream.isEnded || messagesOf(stream.events).some(isAnswer)) break
    await elapsed(5)
  }
  return stream
}

export const resumes = serverCheck(
  'http.server.resume',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    const { request, exchange, event } = await beginCall(probe, connection, 'resumed')
    exchange.close()
    // What came on the cut stream after the named event is delivered again.
    const before = messagesOf(exchange.events.slice(0, exchange.events.indexOf(event) + 1))
    const stream = await resume(probe, connection, event.id ?? '')
    const head = stream.response
    if (head !== undefined && isRefused(head)) return
    const frames = stream.events.flatMap(({ frame }) => frame ?? [])
    if (head === undefined || !isEventStream(head)) {
      probe.fail({
        expected: 'the rest of the stream, or a 4xx',
        actual: describeHead(head),
        statement: 'http.resume.replay',
        frame: stream.requestFrame,
      })
      return
    }
    const after = messagesOf(stream.events)
    const repeated = after.find((message) =>
      before.some((each) => JSON.stringify(each) === JSON.stringify(message)),
    )
    probe.expect(repeated === undefined, {
      expected: 'what came after the named event',
      actual: `${shortJson(repeated)} again`,
      statement: 'http.resume.replay',
      frame: frames,
    })
    const answers = [...before, ...after].filter(
      (message) => isAnswer(message) && isSameId(message['id'], request['id']),
    )
    probe.expect(answers.length === 1, {
      expected: 'the response once',
      actual: `${answers.length} responses`,
      statement: 'http.post.resumable',
      frame: stream.requestFrame,
    })
  },
  { title: 'A stream that was cut goes on after the named event' },
)

export const resumesOwn = serverCheck(
  'http.server.resume-own-stream',
  async (probe) => {
    const connection = await probe.connectHttp({ stream: false })
    const [first, second] = await Promise.all([
      beginCall(probe, connection, 'own'),
      beginCall(probe, connection, 'other'),
    ])
    first.exchange.close()
    second.exchange.close()
    const stream = await resume(probe, connection, first.event.id ?? '')
    const foreign = stream.events.find(({ frame }) => {
      const text = JSON.stringify(frame?.value ?? null)
      const isOther = messagesOf([{ name: '', frame }]).some(
        (message) => isAnswer(message) && isSameId(message['id'], second.request['id']),
      )
      return isOther || text.includes('"progressToken":"other"')
    })
    probe.expect(foreign === undefined, {
      expected: 'messages of the resumed stream alone',
      actual: shortJson(foreign?.frame?.value),
      frame: foreign?.frame,
    })
  },
  { title: 'A resumed stream holds no messages of another' },
)

export const resumesForeign = serverCheck(
  'http.server.resume-foreign',
  async (probe) => {
    const owner = await probe.connectHttp({ stream: false })
    if (owner.sessionId === undefined) probe.notApplicable('the server issues no session id')
    const { exchange, event, request } = await beginCall(probe, owner, 'private')
    exchange.close()
    const other = await probe.connectHttp({ stream: false })
    for (const id of [event.id ?? '', 'patchbay-unknown', '\t%00;..']) {
      const stream = await other.openStream({ 'last-event-id': id.trim() })
      const head = await headOf(probe, stream)
      if (head !== undefined && isEventStream(head)) await hasEnded(stream, probe.waits.silenceMs)
      const leaked = stream.events.find(({ frame }) => {
        const text = JSON.stringify(frame?.value ?? null)
        const answers = messagesOf([{ name: '', frame }]).some(isAnswer)
        return (
          text.includes('"progressToken":"private"') ||
          (answers && text.includes(JSON.stringify(request['id'])))
        )
      })
      probe.expect(leaked === undefined, {
        expected: 'no message of another session',
        actual: shortJson(leaked?.frame?.value),
        frame: leaked?.frame,
      })
      if (head !== undefined && head.status >= 500) {
        probe.warn({ expected: 'a 4xx', actual: describeHead(head), frame: stream.responseFrame })
      }
      stream.close()
    }
  },
  { title: 'Event ids of another session give nothing' },
)

/** Arguments of the tool with a visible effect: with `look` it returns how often the effect has taken place. */
const LOOK = { look: true }
const CUT_AFTER_MS = 200

export const disconnectSurvives = serverCheck(
  'http.server.disconnect-survives',
  async (probe) => {
    const tool = probe.fixture('slow-effect')
    const connection = await probe.connectHttp({ stream: false })
    const look = async () => {
      const result = await connection.request('tools/call', { name: tool.name, arguments: LOOK })
      return JSON.stringify(result['content'])
    }
    const before = await look()
    const { exchange, frame } = await connection.send(
      connection.compose('tools/call', { name: tool.name, arguments: tool.arguments }),
    )
    await elapsed(CUT_AFTER_MS)
    if (exchange === undefined || exchange.isEnded)
      return probe.inconclusive('the call ended before it was cut')
    exchange.close()
    for (const until = performance.now() + probe.waits.answerMs; performance.now() < until;) {
      if ((await look()) !== before) return
      await elapsed(50)
    }
    probe.timedOut = true
    probe.warn({
      expected: 'a call that goes on after its client disconnects',
      actual: 'no effect of it',
      statement: 'http.post.disconnect-not-cancel',
      frame,
    })
  },
  { title: 'A lost connection cancels nothing' },
)

export const primes = serverCheck(
  'http.server.priming',
  async (probe) => {
    for (const revision of ['2025-11-25', '2025-06-18']) {
      const headers = { 'mcp-protocol-version': revision }
      const connection = await probe.connectHttp({ revision, handshake: 'initialize', stream: false })
      if (connection.initialized?.['protocolVersion'] !== revision) continue
      connection.captured.revision = revision === '2025-06-18' ? '2025-06-18' : '2025-11-25'
      await connection.notify('notifications/initialized', undefined, { headers })
      const request = streamedCall(probe, connection, 'primed')
      if (request === undefined) return probe.inconclusive('no tool was found that reports progress')
      const outcome = await connection.exchange(request, { headers })
      const events = outcome.exchange?.events ?? []
      if (events.length === 0) return probe.inconclusive(`no event stream: ${describeOutcome(outcome)}`)
      const [first] = events
      const isPriming = first?.id !== undefined && (first.data?.length ?? 0) === 0
      const frame = [outcome.sent, ...events.flatMap((event) => event.frame ?? [])]
      if (revision === '2025-06-18') {
        if (isPriming)
          probe.inform({ expected: `no empty event in a session of ${revision}`, actual: 'one', frame })
        continue
      }
      if (!isPriming && events.some(({ id }) => id !== undefined))
        probe.warn({ expected: 'an event with an id and empty data first', actual: 'none', frame })
    }
  },
  { title: 'Streams begin with an empty event that has an id' },
)

export const sendsRetry = serverCheck(
  'http.server.retry',
  async (probe) => {
    const tool = probe.fixture('releases-stream')
    const connection = await probe.connectHttp({ stream: false })
    const outcome = await connection.call('tools/call', { name: tool.name, arguments: tool.arguments })
    const { exchange } = outcome
    if (exchange === undefined || !exchange.isEnded || messagesOf(exchange.events).some(isAnswer))
      return probe.inconclusive('the server did not close the stream early')
    if (!exchange.events.some(({ retry }) => retry !== undefined)) {
      probe.warn({
        expected: 'a retry field before the stream is closed',
        actual: 'none',
        statement: 'http.polling.retry-sent',
        frame: [outcome.sent, ...(exchange.responseFrame === undefined ? [] : [exchange.responseFrame])],
      })
    }
    probe.expect(outcome.type === 'result' || outcome.type === 'error', {
      expected: 'the result on the resumed stream',
      actual: describeOutcome(outcome),
      statement: 'http.polling.close-anytime',
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'A stream that is closed early says when to come back' },
)
