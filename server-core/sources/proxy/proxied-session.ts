import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type {
  JsonRpcError,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from '../../protocol/messages.ts'
import type {
  RequestContext,
  ReplySink,
  ServerPort,
  ServerSession,
  SessionOptions,
} from '../../ports/server-port.ts'
import type { DownstreamServer } from './downstream-server.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type ProxiedSessionParts = {
  readonly options: SessionOptions
  /** Serves what comes before `initialize`. */
  readonly blank: ServerPort
  /** What the answer to that `initialize` will say, if it is not an error. */
  readonly revisionFor: (message: JsonRpcRequest) => string | undefined
  readonly open: (message: JsonRpcRequest) => Promise<DownstreamServer>
  readonly onClosed: () => void
}

/** A session whose server is made when its client has said who it is: the answer to `initialize` waits for that. */
export class ProxiedSession implements ServerSession {
  readonly #parts: ProxiedSessionParts
  readonly #blank: ServerSession
  #agreeing: string | undefined
  #waiting: (() => void)[] | undefined
  #session: ServerSession | undefined
  #downstream: DownstreamServer | undefined
  #isClosed = false

  constructor(parts: ProxiedSessionParts) {
    this.#parts = parts
    this.#blank = parts.blank.openSession(parts.options)
  }

  get revision(): string | undefined {
    return this.#session?.revision ?? this.#agreeing
  }

  get inFlight(): number {
    return this.#session?.inFlight ?? this.#waiting?.length ?? 0
  }

  request(message: JsonRpcRequest, requestContext: RequestContext, sink: ReplySink): void {
    if (this.#session !== undefined) this.#session.request(message, requestContext, sink)
    else if (this.#waiting !== undefined)
      this.#waiting.push(() => this.#session?.request(message, requestContext, sink))
    else {
      const revision = message.method === 'initialize' ? this.#parts.revisionFor(message) : undefined
      if (revision === undefined) this.#blank.request(message, requestContext, sink)
      else void this.#begin(message, requestContext, sink, revision)
    }
  }

  notification(message: JsonRpcNotification): void {
    if (this.#waiting !== undefined) this.#waiting.push(() => this.#session?.notification(message))
    else (this.#session ?? this.#blank).notification(message)
  }

  batch(items: readonly unknown[], requestContext: RequestContext, reply: () => ReplySink): boolean {
    return (this.#session ?? this.#blank).batch(items, requestContext, reply)
  }

  response(message: JsonRpcResult | JsonRpcError): void {
    this.#session?.response(message)
  }

  ended(): void {
    if (this.#waiting !== undefined) this.#waiting.push(() => this.#session?.ended())
    else (this.#session ?? this.#blank).ended()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#parts.onClosed()
    this.#blank.close()
    this.#session?.close()
    void this.#downstream?.close()
  }

  async #begin(
    message: JsonRpcRequest,
    requestContext: RequestContext,
    sink: ReplySink,
    revision: string,
  ): Promise<void> {
    const { options, open } = this.#parts
    const waiting: (() => void)[] = []
    this.#waiting = waiting
    this.#agreeing = revision
    try {
      const downstream = await open(message)
      if (this.#isClosed) {
        await downstream.close()
        return
      }
      this.#downstream = downstream
      const session = downstream.server.openSession(options)
      this.#session = session
      this.#waiting = undefined
      session.request(message, requestContext, sink)
      for (const go of waiting) go()
    } catch (error) {
      this.#waiting = undefined
      this.#agreeing = undefined
      sink.answer(unreachable(message.id, error), 200)
      options.idle?.()
    }
  }
}

/** The answer where the server behind cannot be reached. */
export function unreachable(id: RequestId, error: unknown): Buffer {
  const reason = messageOf(error)
  const told = new ProtocolError(
    ErrorCode.internalError,
    `The server behind the proxy is not there: ${reason}`,
  )
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error: told.toBody() }))
}
