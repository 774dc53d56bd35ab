import { randomBytes } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { TransportKind } from '../../protocol/transport-kind.ts'
import type { WireDirection } from '../../ports/tap.ts'

/** Requests without an answer that are remembered. */
const MOST_OPEN = 10_000
/** Connections whose revision is remembered. */
const MOST_VERSIONS = 1_000
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/
/** Of OTLP: who a span belongs to. */
const SERVER = 2
const CLIENT = 3
const ERROR = 2

/** A frame with what a span says of its connection. */
export type SpanFrame = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly direction: WireDirection
  readonly bytes: Uint8Array
  readonly serverName: string
  readonly side: 'client' | 'server'
  readonly transport: TransportKind
  /** Names the connection: ids are its own. */
  readonly connection: string
  readonly session?: string
}

type Attribute = { readonly key: string; readonly value: object }
/** A span as OTLP/JSON has it. */
export type OtlpSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number; readonly message?: string }
}

type Open = { readonly frame: SpanFrame; readonly message: JsonObject; readonly method: string }

/**
 * Makes a span of each request and its answer, by the semantic conventions for MCP. Arguments and results are not in it.
 * A `traceparent` in `_meta` is continued.
 */
export class SpanBuilder {
  readonly #open = new Map<string, Open>()
  readonly #versions = new Map<string, string>()
  readonly #mask: (text: string) => string

  /** `mask` removes secrets from texts. */
  constructor(mask: (text: string) => string) {
    this.#mask = mask
  }

  /** Returns the spans that a message ends. */
  add(frame: SpanFrame): OtlpSpan[] {
    const value = parsed(frame.bytes)
    const messages: readonly unknown[] = Array.isArray(value) ? value : [value]
    return messages.flatMap((message) => (isJsonObject(message) ? this.#message(frame, message) : []))
  }

  #message(frame: SpanFrame, message: JsonObject): OtlpSpan[] {
    const { method, id } = message
    if (id === undefined || id === null) return []
    const isRequest = typeof method === 'string'
    const asked = isRequest ? frame.direction : frame.direction === 'sent' ? 'received' : 'sent'
    const key = JSON.stringify([frame.connection, asked, id])
    if (isRequest) {
      this.#open.set(key, { frame, message, method })
      const [oldest] = this.#open.keys()
      if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest)
      return []
    }
    const open = this.#open.get(key)
    if (open === undefined) return []
    this.#open.delete(key)
    const { result } = message
    if (open.method === 'initialize' && isJsonObject(result) && typeof result['protocolVersion'] === 'string')
      this.#remember(frame.connection, result['protocolVersion'])
    return [this.#span(open, frame, message)]
  }

  #remember(connection: string, version: string): void {
    this.#versions.set(connection, version)
    const [oldest] = this.#versions.keys()
    if (this.#versions.size > MOST_VERSIONS && oldest !== undefined) this.#versions.delete(oldest)
  }

  #span({ frame, message, method }: Open, answer: SpanFrame, { result, error }: JsonObject): OtlpSpan {
    const params = isJsonObject(message['params']) ? message['params'] : {}
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
    const target = [params['name'], params['uri']].find((each) => typeof each === 'string')
    const [, traceId = randomBytes(16).toString('hex'), parentSpanId] =
      TRACE_PARENT.exec(typeof meta['traceparent'] === 'string' ? meta['traceparent'] : '') ?? []
    // The side that sends a request is its client.
    const isClient = (frame.direction === 'sent') === (frame.side === 'client')
    const failure = failureOf(result, error)
    const version = meta['io.modelcontextprotocol/protocolVersion'] ?? this.#versions.get(frame.connection)
    return {
      traceId,
      spanId: randomBytes(8).toString('hex'),
      ...(parentSpanId !== undefined && { parentSpanId }),
      name: this.#mask(
        [method, method === 'tools/call' || method === 'prompts/get' ? target : undefined]
          .filter(isText)
          .join(' '),
      ),
      kind: isClient ? CLIENT : SERVER,
      startTimeUnixNano: nanosOf(frame.at),
      endTimeUnixNano: nanosOf(Math.max(frame.at, answer.at)),
      attributes: [
        ['mcp.method.name', method],
        ['jsonrpc.request.id', String(message['id'])],
        ['jsonrpc.protocol.version', '2.0'],
        ['mcp.protocol.version', version],
        ['mcp.session.id', frame.session],
        ['server.address', frame.serverName],
        [
          'network.transport',
          frame.transport === 'stdio' ? 'pipe' : frame.transport === 'memory' ? undefined : 'tcp',
        ],
        ['gen_ai.operation.name', method === 'tools/call' ? 'execute_tool' : undefined],
        ['gen_ai.tool.name', method === 'tools/call' ? target : undefined],
        ['gen_ai.prompt.name', method === 'prompts/get' ? target : undefined],
        ['mcp.resource.uri', method.startsWith('resources/') ? target : undefined],
        ['error.type', failure?.type],
        ['rpc.response.status_code', failure?.code],
      ].flatMap(([key, value]) =>
        typeof key === 'string' && typeof value === 'string'
          ? [{ key, value: { stringValue: this.#mask(value) } }]
          : [],
      ),
      status: failure === undefined ? {} : { code: ERROR, message: this.#mask(failure.message) },
    }
  }
}

/** The body of a request to a collector. */
export function otlpBody(spans: readonly OtlpSpan[]): object {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'patchbay' } }] }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'patchbay' }, spans }] }] }
}

function failureOf(
  result: unknown,
  error: unknown,
): { readonly type: string; readonly code?: string; readonly message: string } | undefined {
  if (isJsonObject(error)) {
    const code = String(error['code'])
    return { type: code, code, message: String(error['message']) }
  }
  if (isJsonObject(result) && result['isError'] === true)
    return { type: 'tool_error', message: 'the tool reported an error' }
  return undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function nanosOf(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n)
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  } catch {
    return undefined
  }
}
