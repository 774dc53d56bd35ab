import { isJsonObject } from '../../protocol/json.ts'
import type { Limits } from '../../protocol/limits.ts'
import type { RequestId } from '../../protocol/messages.ts'
import { parseMessage } from '../../protocol/parse.ts'
import type { ClientReceiver, TransportError } from '../../ports/contract.ts'
import { replyFailure, statusFailure } from './http-failure.ts'
import type { HttpReply } from './http-exchange.ts'
import { refusedReply } from './http-wire.ts'
import type { SseEvent } from './sse-codec.ts'
import type { Tap } from '../../ports/tap.ts'

const NO_BYTES = new Uint8Array()

/** Reads replies: records what came, hands messages to the receiver, and reports invalid messages. */
export class HttpReader {
  readonly #limits: Limits
  readonly #tap: Tap
  readonly #receiver: ClientReceiver

  constructor(limits: Limits, tap: Tap, receiver: ClientReceiver) {
    this.#limits = limits
    this.#tap = tap
    this.#receiver = receiver
  }

  /** Records a reply that carries no message: a head with a stream behind it, or a body that nobody takes for one. */
  head(reply: HttpReply): void {
    this.#tap.record({ kind: 'http', direction: 'received', bytes: reply.body, http: reply.facts })
  }

  /** The reply to a notification or a response: any success will do, 202 is what the specification says. */
  nothing(reply: HttpReply): void {
    this.head(reply)
    reply.stream?.giveUp()
    if (reply.status >= 200 && reply.status < 300) return
    throw this.failure(reply)
  }

  /** What a status that is not a success means, with what a JSON-RPC error in the body says. */
  failure(reply: HttpReply): TransportError {
    return statusFailure(refusedReply(reply), errorMessageIn(this.#parsed(reply.body)))
  }

  /**
   * The reply to a request with a status that is not a success. A JSON-RPC error with the request's id is an answer at
   * any status, unless the status means that the session has ended or that access is refused. Throws otherwise.
   */
  refusal(reply: HttpReply, id: RequestId, hadSession: boolean): void {
    const bytes = reply.body
    const value = this.#parsed(bytes)
    const direction = 'received'
    const http = reply.facts
    if (isJsonObject(value)) this.#tap.record({ kind: 'message', direction, bytes, parsed: value, http })
    else if (bytes.length === 0) this.#tap.record({ kind: 'http', direction, bytes, http })
    else
      this.#tap.record({
        kind: 'invalid',
        direction,
        bytes,
        reason: `HTTP ${reply.status} without a message`,
        http,
      })
    const isSessionLost = reply.status === 404 && hadSession
    const isAccessRefused = reply.status === 401 || reply.status === 403
    if (isSessionLost || isAccessRefused || !isAnswerTo(value, id)) {
      throw statusFailure(refusedReply(reply), errorMessageIn(value))
    }
    this.#receiver.message({ value, bytes, httpStatus: reply.status, httpHeaders: reply.headers })
  }

  /** The body of a successful reply to a request, as one JSON document. Throws if it does not answer the request. */
  answer(reply: HttpReply, id: RequestId): void {
    const bytes = reply.body
    const refused = refusedReply(reply)
    const parsed = parseMessage(bytes, this.#limits)
    if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) {
      const reason = parsed.ok ? 'the body is not a JSON object' : parsed.error.message
      this.#tap.record({ kind: 'invalid', direction: 'received', bytes, reason, http: reply.facts })
      throw replyFailure('not-mcp', notMcp(reply, bytes, reason), refused)
    }
    this.#tap.record({
      kind: 'message',
      direction: 'received',
      bytes,
      parsed: parsed.value,
      http: reply.facts,
    })
    this.#receiver.message({
      value: parsed.value,
      bytes,
      httpStatus: reply.status,
      httpHeaders: reply.headers,
    })
    if (isAnswerTo(parsed.value, id)) return
    const said = errorMessageIn(parsed.value)
    const saying = said === undefined ? '' : `; it says: ${said}`
    throw replyFailure(
      'not-mcp',
      `the reply holds no answer to request ${JSON.stringify(id)}${saying}`,
      refused,
    )
  }

  /** The reply to bytes that were sent as they are: whatever it is, it is handed on. */
  anything(reply: HttpReply): void {
    const bytes = reply.body
    const http = reply.facts
    const direction = 'received'
    if (bytes.length === 0) {
      this.#tap.record({ kind: 'http', direction, bytes, http })
      return
    }
    const parsed = parseMessage(bytes, this.#limits)
    if (parsed.ok) {
      const { value } = parsed
      this.#tap.record({ kind: 'message', direction, bytes, parsed: value, http })
      this.#receiver.message({ value, bytes, httpStatus: reply.status, httpHeaders: reply.headers })
    } else {
      const reason = parsed.error.message
      this.#tap.record({ kind: 'invalid', direction, bytes, reason, http })
      this.#receiver.invalid(bytes, reason)
    }
  }

  /** Hands on the message of an event and gives its value. Names other than `message` carry none. */
  event(event: SseEvent, reply: HttpReply): unknown {
    const { data, ...fields } = event
    const http = { ...reply.facts, event: fields }
    const direction = 'received'
    if (data === undefined || data.length === 0) {
      this.#tap.record({ kind: 'http', direction, bytes: NO_BYTES, http })
      return undefined
    }
    if (event.name !== 'message') {
      const reason = `an event named "${event.name}" carries no message`
      this.#tap.record({ kind: 'invalid', direction, bytes: data, reason, http })
      this.#receiver.invalid(data, reason)
      return undefined
    }
    const parsed = parseMessage(data, this.#limits)
    if (!parsed.ok) {
      this.#tap.record({ kind: 'invalid', direction, bytes: data, reason: parsed.error.message, http })
      this.#receiver.invalid(data, parsed.error.message)
      return undefined
    }
    this.#tap.record({ kind: 'message', direction, bytes: data, parsed: parsed.value, http })
    this.#receiver.message({
      value: parsed.value,
      bytes: data,
      httpStatus: reply.status,
      httpHeaders: reply.headers,
    })
    return parsed.value
  }

  #parsed(bytes: Uint8Array): unknown {
    const parsed = parseMessage(bytes, this.#limits)
    return parsed.ok ? parsed.value : undefined
  }
}

/** Returns whether a value, or one of its items, is a response with that id. */
export function isAnswerTo(value: unknown, id: RequestId): boolean {
  if (Array.isArray(value)) return value.some((item) => isAnswerTo(item, id))
  return isJsonObject(value) && value['id'] === id && value['method'] === undefined
}

function errorMessageIn(value: unknown): string | undefined {
  const error = isJsonObject(value) ? value['error'] : undefined
  return isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined
}

function notMcp(reply: HttpReply, body: Uint8Array, reason: string): string {
  const type = reply.headers['content-type'] ?? 'no content type'
  const encoding = reply.headers['content-encoding']
  if (encoding !== undefined) return `the reply is encoded (${encoding}), which was not asked for`
  if (body.length === 0) return `expected a JSON-RPC answer, got HTTP ${reply.status} with an empty body`
  if (/html/i.test(type))
    return `expected a JSON-RPC answer, got a web page (${type}); the address is not an MCP endpoint`
  return `expected a JSON-RPC answer, got HTTP ${reply.status} with ${type}: ${reason}`
}
