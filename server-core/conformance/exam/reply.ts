import type { JsonObject } from '../../protocol/json.ts'

/** How the exam server answers one request. */
export type Reply =
  | { readonly result: JsonObject }
  | { readonly error: { readonly code: unknown; readonly message?: unknown; readonly data?: unknown } }
  /** Any JSON value as it is, in place of a response. */
  | { readonly message: unknown }
  /** Any bytes as they are: a line, an event's data, a WebSocket message, a body. */
  | { readonly bytes: string | Uint8Array }
  /** The bytes of one message, written apart: pipe writes, fragments of a WebSocket message, chunks of a body. */
  | { readonly pieces: readonly Uint8Array[] }
  /** An HTTP response; other transports stay silent. */
  | {
      readonly http: {
        readonly status: number
        readonly headers?: Readonly<Record<string, string>>
        readonly body?: string | Uint8Array
      }
    }
  /** No answer; the stream stays open. */
  | { readonly silent: true }
  /** Ends the connection (HTTP: the response). */
  | { readonly close: true }

/** The response in a reply; undefined if it is not a response. */
export function responseOf(request: JsonObject, reply: Reply): unknown {
  if ('result' in reply) return { jsonrpc: '2.0', id: request['id'], result: reply.result }
  if ('error' in reply) return { jsonrpc: '2.0', id: request['id'], error: reply.error }
  return 'message' in reply ? reply.message : undefined
}
