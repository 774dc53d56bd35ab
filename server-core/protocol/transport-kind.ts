/** The transports between two processes. */
export const WIRE_TRANSPORTS = ['stdio', 'http', 'sse', 'websocket'] as const
/** A transport between two processes. */
export type WireTransport = (typeof WIRE_TRANSPORTS)[number]

/** How clients reach a server: `http` is Streamable HTTP, `sse` the older HTTP+SSE (2024-11-05). */
export const TRANSPORT_KINDS = [...WIRE_TRANSPORTS, 'memory'] as const
/** How a client reaches a server. */
export type TransportKind = (typeof TRANSPORT_KINDS)[number]
