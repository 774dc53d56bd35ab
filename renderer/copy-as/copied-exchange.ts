import type { HttpView } from '../../server-core/host/contract/traffic.ts'
import { parseExact, stringifyExact } from '../../server-core/protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'

/** How the server of an exchange is reached. Secret values are not in it. */
export type CopiedServer =
  | {
      readonly type: 'command'
      readonly command: string
      readonly args: readonly string[]
      readonly cwd: string | undefined
      /** Names of environment variables whose values are not known here. */
      readonly secrets: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
  | {
      readonly type: 'url'
      readonly url: string
      readonly transport: 'http' | 'sse' | 'websocket'
      /** Names of headers whose values are not known here. */
      readonly secrets: readonly string[]
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly type: 'unknown' }

/** An exchange, with what it takes to write it down. */
export type CopiedExchange = {
  /** The request or notification, as it was sent. */
  readonly request: string
  /** The answer, as it came. */
  readonly answer: string | undefined
  /** The HTTP request that carried it. */
  readonly http: HttpView | undefined
  readonly server: CopiedServer
  /** The name by which commands of Patchbay find the server, if it is stored. */
  readonly storedName: string | undefined
  readonly serverName: string
  /** Milliseconds since 1970, and how long it took. */
  readonly at: number
  readonly durationMs: number | undefined
  /** How commands of Patchbay are written for this app. */
  readonly commandLine: { readonly command: string; readonly profile: string | undefined }
}

/** The method and parameters of a message, if it is one message. */
export type CopiedCall = { readonly method: string; readonly params: JsonObject; readonly isRequest: boolean }

/** Reads what a request asks, without the metadata that each client adds by itself. */
export function callOf({ request }: Pick<CopiedExchange, 'request'>): CopiedCall | undefined {
  let message: unknown
  try {
    message = parseExact(request, 'text')
  } catch {
    return undefined
  }
  if (!isJsonObject(message) || typeof message['method'] !== 'string') return undefined
  const { _meta: _own, ...params } = isJsonObject(message['params']) ? message['params'] : {}
  return { method: message['method'], params, isRequest: message['id'] !== undefined }
}

/** A text that is a string; empty if it is another value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** JSON on several lines; a text that is not JSON as it is. */
export function prettyJson(text: string): string {
  try {
    return stringifyExact(parseExact(text, 'text'), 2)
  } catch {
    return text
  }
}
