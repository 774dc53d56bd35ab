import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { HttpConnection } from '../../probe/http-connection.ts'
import type { HttpExchange, StreamEvent } from '../../probe/http-exchange.ts'
import type { ResponseHead } from '../../probe/http-response-parser.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { elapsed } from '../../probe/waits.ts'

/** The head of a response, or undefined if none comes in time. */
export async function headOf(probe: ServerProbe, exchange: HttpExchange): Promise<ResponseHead | undefined> {
  return probe.owed(exchange.head)
}

/** Waits for the end of a response; returns whether it came in time. */
export async function hasEnded(exchange: HttpExchange, timeoutMs: number): Promise<boolean> {
  return Promise.race([exchange.ended.then(() => true), elapsed(timeoutMs).then(() => false)])
}

/** The head and the whole body, as far as they come in time. */
export async function wholeResponse(
  probe: ServerProbe,
  exchange: HttpExchange,
): Promise<ResponseHead | undefined> {
  const head = await headOf(probe, exchange)
  if (head !== undefined && !isEventStream(head)) await hasEnded(exchange, probe.waits.answerMs)
  return head
}

/** The type without parameters, in lower case; empty without one. */
export function typeOf(head: ResponseHead | undefined): string {
  return (head?.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

export function isEventStream(head: ResponseHead | undefined): boolean {
  return typeOf(head) === 'text/event-stream'
}

/** Status and type in a few words. */
export function describeHead(head: ResponseHead | undefined): string {
  if (head === undefined) return 'no response'
  return typeOf(head) === '' ? `HTTP ${head.status}` : `HTTP ${head.status} with ${typeOf(head)}`
}

export function isRefused({ status }: ResponseHead): boolean {
  return status >= 400 && status < 500
}

export function isServed({ status }: ResponseHead): boolean {
  return status >= 200 && status < 300
}

/** The messages of an event stream so far. */
export function messagesOf(events: readonly StreamEvent[]): readonly JsonObject[] {
  return events.flatMap(({ frame }) => {
    const values = Array.isArray(frame?.value) ? (frame.value as unknown[]) : [frame?.value]
    return values.filter(isJsonObject)
  })
}

/** Whether a message is a response. */
export function isAnswer(message: JsonObject): boolean {
  return message['method'] === undefined && 'id' in message
}

/** A call that is answered by an event stream: one with progress. Undefined where no tool reports any. */
export function streamedCall(
  probe: ServerProbe,
  connection: HttpConnection,
  token: string | number,
): JsonObject | undefined {
  const tool = probe.findFixture('progress')
  if (tool === undefined) return undefined
  const params = { name: tool.name, arguments: tool.arguments, _meta: { progressToken: token } }
  return connection.compose('tools/call', params)
}

/** The first event with a message that an exchange gets; undefined if none comes in time. */
export async function firstMessageEvent(
  probe: ServerProbe,
  exchange: HttpExchange,
): Promise<StreamEvent | undefined> {
  for (const until = performance.now() + probe.waits.answerMs; performance.now() < until;) {
    const event = exchange.events.find(({ frame }) => frame !== undefined)
    if (event !== undefined) return event
    if (exchange.isEnded) return undefined
    await elapsed(2)
  }
  return undefined
}
