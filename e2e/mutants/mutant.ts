import type { WireTransport } from '../../server-core/protocol/transport-kind.ts'
import type { JsonObject } from '../../server-core/protocol/json.ts'
import type { Revision } from '../../server-core/protocol/revisions.ts'
import type { ConnectOptions } from '../../server-core/client/connect.ts'
import type { DrivenClient, DriverSettings } from '../../server-core/conformance/exam/client-driver.ts'
import type { Side } from '../../server-core/conformance/catalogue/catalogue.ts'
import type { ResourceServerOptions } from '../../server-core/authorization/options.ts'
import type { HttpListenerOptions } from '../../server-core/listener/http-listener.ts'
import type { ServerTarget } from '../../server-core/conformance/probe/server-target.ts'
import type { SseEvent } from '../../server-core/transports/http/sse-codec.ts'
import type { Registry } from '../../server-core/registry/registry.ts'
import type { ServerOptions } from '../../server-core/server/server.ts'
import type { PlayedProcess } from './reference/played-process.ts'

/** Where a message is on its way. */
export type MessageContext = {
  readonly transport: WireTransport
  /** Kept for one connection, or session where there is one. */
  readonly connection: Map<string, unknown>
  /** Kept for the whole peer. */
  readonly peer: Map<string, unknown>
  /** The message is part of an array. */
  readonly isInArray: boolean
  /** The request that a response answers. */
  readonly answers: JsonObject | undefined
  /** HTTP headers of the request that carries it or that it answers; empty elsewhere. */
  readonly headers: Readonly<Record<string, string>>
  /** Writes a message to the peer that wrote this one, as if the other had answered. */
  readonly reply: (message: unknown) => void
  /** Ends the peer as a crash would: the process, the WebSocket, the HTTP exchange. */
  readonly crash?: () => void
}

/** Returns the message to pass on, several in a list under `messages`, or undefined for nothing. */
export type ChangeMessage = (message: JsonObject, context: MessageContext) => unknown

/** Stands for several messages in place of one. */
export class Messages {
  readonly messages: readonly unknown[]

  constructor(...messages: readonly unknown[]) {
    this.messages = messages
  }
}

/** One HTTP request on its way through the proxy. Change it, then call `next`, or answer it. */
export type ProxyRequest = {
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: Buffer
}

export type ProxyResponse = {
  status: number
  headers: Record<string, string>
  body: Buffer | undefined
  /** The names of the headers as they were written. */
  names?: readonly string[]
}

/**
 * Changes HTTP. `next` sends the request on and resolves with the head of the response; a `body` of undefined means
 * that the body is passed through, message by message.
 */
export type ChangeHttp = (
  request: ProxyRequest,
  next: (request: ProxyRequest) => Promise<ProxyResponse>,
  /** Kept for the whole peer. */
  peer: Map<string, unknown>,
) => Promise<ProxyResponse> | ProxyResponse

/** One event stream on its way through the proxy. */
export type ProxiedStream = {
  readonly request: ProxyRequest
  /** The other streams that are open. */
  readonly others: readonly ProxiedStream[]
  /** Kept for this stream. */
  readonly notes: Map<string, unknown>
  /** Kept for the whole peer. */
  readonly peer: Map<string, unknown>
  readonly write: (event: SseEvent) => void
}

/** Faults of WebSockets. */
export type WebSocketFault = {
  /** Servers: selects a subprotocol of those offered. */
  readonly protocol?: (offered: readonly string[]) => string
  /** Servers: takes every upgrade, whatever the server would say. */
  readonly admitsAll?: true
  /** Servers: reads binary messages as text. */
  readonly readsBinary?: true
  /** Servers: takes the messages of an array one by one. */
  readonly unwrapsArrays?: true
  /** Servers: ends at a message of so many bytes. */
  readonly diesAbove?: number
  /** Servers: destroys the socket in place of a closing handshake. */
  readonly diesOnClose?: true
  /** Clients: the path that is asked for. */
  readonly path?: (path: string) => string
  /** Clients: does not read frames that are parts of a message. */
  readonly dropsFragments?: true
}

/** Faults of event streams. */
export type StreamFault = {
  /** Runs before the first event. */
  readonly begin?: (stream: ProxiedStream) => void
  /** Returns the events that replace one. */
  readonly event?: (event: SseEvent, stream: ProxiedStream) => readonly SseEvent[]
  /** Changes bytes as they come; events are not taken apart then. */
  readonly bytes?: (bytes: Buffer, stream: ProxiedStream) => Buffer
  /** Keeps the stream open after its end. */
  readonly staysOpen?: true
}

/** One fault of a peer. Give as few members as it takes. */
export type Fault = {
  /** Changes each message that the mutated peer writes. */
  readonly outgoing?: ChangeMessage
  /** Changes the bytes of each message that the mutated peer writes, after `outgoing`. */
  readonly outgoingBytes?: (bytes: Buffer, message: unknown) => Buffer
  /** Changes each message before the mutated peer reads it. */
  readonly incoming?: ChangeMessage
  /** The same for bytes that are not JSON; returns the bytes to pass on. */
  readonly incomingBytes?: (bytes: Buffer, context: MessageContext) => Buffer | undefined
  /** Changes HTTP requests and responses. */
  readonly http?: ChangeHttp
  /** Runs when a client has gone before the end of its response; `post` sends a message to the server. */
  readonly abandoned?: (request: ProxyRequest, post: (message: unknown) => void) => void
  /** Changes event streams. */
  readonly streams?: StreamFault
  /** Changes WebSockets. */
  readonly webSocket?: WebSocketFault
  /** Servers: changes how it is reached. */
  readonly target?: (target: ServerTarget) => ServerTarget
  /** Servers: changes what the server offers. */
  readonly registry?: (registry: Registry) => void
  /** Servers: changes how the server is made. */
  readonly server?: (options: ServerOptions) => ServerOptions
  /** Servers: changes how the protected one checks tokens. */
  readonly resource?: Partial<ResourceServerOptions>
  /** Servers: changes how it listens. */
  readonly listener?: (options: HttpListenerOptions) => HttpListenerOptions
  /** Servers over stdio: changes the process. */
  readonly process?: (process: PlayedProcess) => void
  /** Clients over stdio: milliseconds before each harder step of ending the server. */
  readonly graceMs?: number
  /** Clients: changes how it connects. */
  readonly connect?: (options: ConnectOptions, settings: DriverSettings) => ConnectOptions
  /** Clients: changes what it does. */
  readonly driver?: (client: DrivenClient) => DrivenClient
}

/** A correct peer with one fault. The id is `m.` and the check's, with what tells several apart behind a colon. */
export type Mutant = {
  readonly id: string
  readonly side: Side
  readonly fault: Fault
  /** Where the fault exists; everywhere that its check runs if not given. */
  readonly revisions?: readonly Revision[]
  readonly transports?: readonly WireTransport[]
  /** Further checks that the fault breaks in truth, with the reason. */
  readonly alsoBreaks?: Readonly<Record<string, string>>
}

/** The id of the check that must find a mutant. */
export function checkOf({ id }: Pick<Mutant, 'id'>): string {
  return id
    .replace(/^m\./, '')
    .replace(/:.*$/, '')
    .replace(/\/(server|client)$/, '')
}
