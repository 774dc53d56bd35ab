import type { TransportKind } from '../protocol/transport-kind.ts'
import { connect, type Connection, type ConnectOptions } from './connect.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { JsonRpcMessage, RequestId } from '../protocol/messages.ts'
import {
  TransportError,
  type ClientReceiver,
  type ClientTransport,
  type SendOptions,
  type TransportErrorCode,
} from '../ports/contract.ts'

/** A message as the server of the script sees it. */
export type Heard = {
  readonly method: string
  readonly id: RequestId | undefined
  readonly params: JsonObject
  readonly message: JsonRpcMessage
  /** What went over the wire. */
  readonly text: string
  readonly options: SendOptions
}

/** One connection of the scripted server. */
export type Side = {
  send(value: unknown): void
  /** Something that is not JSON. */
  invalid(text: string): void
  result(heard: Heard, result: JsonObject): void
  error(heard: Heard, code: number, message: string, data?: unknown): void
  /** The exchange of a request fails. */
  fail(heard: Heard, error: TransportError): void
  /** The connection ends by itself. */
  end(code: TransportErrorCode): void
}

export type Script = (heard: Heard, side: Side, connection: number) => void

const encoder = new TextEncoder()

/** A server whose every answer a test writes down; messages cross as bytes, after the sender's own turn. */
export function scriptedServer(script: Script, kind: TransportKind = 'stdio') {
  const heard: Heard[] = []
  const closed: number[] = []
  const abandoned: RequestId[] = []
  let connections = 0
  const open = (): ClientTransport => {
    connections += 1
    const connection = connections
    let receiver: ClientReceiver | undefined
    let isOpen = true
    const later = (action: () => void): void =>
      queueMicrotask(() => {
        if (isOpen) action()
      })
    const side: Side = {
      send: (value) =>
        later(() =>
          receiver?.message({
            value: JSON.parse(JSON.stringify(value)),
            bytes: encoder.encode(JSON.stringify(value)),
          }),
        ),
      invalid: (text) => later(() => receiver?.invalid(encoder.encode(text), 'not JSON')),
      result: ({ id }, result) => side.send({ jsonrpc: '2.0', id, result }),
      error: ({ id }, code, message, data) =>
        side.send({ jsonrpc: '2.0', id, error: { code, message, data } }),
      fail: ({ id }, error) =>
        later(() => {
          if (id !== undefined) receiver?.requestFailed(id, error)
        }),
      end: (code) =>
        later(() => {
          isOpen = false
          receiver?.closed(new TransportError(code, `the script ended it (${code})`, { pid: connection }))
        }),
    }
    const hear = (text: string, options: SendOptions): Promise<void> => {
      if (!isOpen) return Promise.reject(new TransportError('closed', 'closed'))
      const copy = JSON.parse(text) as JsonRpcMessage & {
        params?: unknown
        id?: RequestId
        method?: string
      }
      const one: Heard = {
        method: copy.method ?? '',
        id: copy.id,
        params: isJsonObject(copy.params) ? copy.params : {},
        message: copy,
        text,
        options,
      }
      heard.push(one)
      script(one, side, connection)
      return Promise.resolve()
    }
    return {
      kind,
      start: (given) => {
        receiver = given
        return Promise.resolve()
      },
      send: (message, options = {}) => hear(JSON.stringify(message), options),
      abandon: (id) => void abandoned.push(id),
      // The script receives parsed JSON only.
      sendRaw: async (bytes) => {
        await hear(new TextDecoder().decode(bytes), {})
        return {}
      },
      close: () => {
        closed.push(connection)
        if (isOpen) {
          isOpen = false
          receiver?.closed(new TransportError('closed', 'the connection was closed'))
        }
        return Promise.resolve()
      },
      evidence: () => ({ pid: connection }),
    }
  }
  return { open, heard, closed, abandoned, connections: () => connections }
}

/** The answer to `server/discover` of a server that speaks 2026-07-28. */
export const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {} },
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '1' } },
}

/** The answer to `initialize` of a server that speaks 2025-11-25. */
export const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1' },
}

/** Answers the opening in one era and leaves the rest to `script`. */
export const speaking =
  (era: 'legacy' | 'modern', script: Script): Script =>
  (heard, side, connection) => {
    if (heard.method === 'server/discover' && era === 'modern') side.result(heard, DISCOVERED)
    else if (heard.method === 'server/discover') side.error(heard, -32601, 'Method not found')
    else if (heard.method === 'initialize') side.result(heard, INITIALIZED)
    else if (heard.method !== 'notifications/initialized') script(heard, side, connection)
  }

const connections: Connection[] = []

/** Connects to a scripted server of one era; `heard` and `methods` are what came after the opening. */
export const connectedTo = async (
  era: 'legacy' | 'modern',
  script: Script,
  options: Partial<ConnectOptions> = {},
  kind?: TransportKind,
) => {
  const server = scriptedServer(speaking(era, script), kind)
  const identity = { name: 'patchbay', version: '0' }
  const connection = await connect({ open: server.open, identity, requestTimeoutMs: 2_000, ...options })
  connections.push(connection)
  const opening = server.heard.length
  return {
    connection,
    heard: () => server.heard.slice(opening),
    abandoned: server.abandoned,
    methods: () => server.heard.slice(opening).map(({ method }) => method),
  }
}

/** Closes what `connectedTo` opened. */
export const closeAll = async (): Promise<void> => {
  await Promise.all(connections.splice(0).map((connection) => connection.close()))
}
