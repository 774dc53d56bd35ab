import { parseMessage } from '../../protocol/parse.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { Frame, HttpFacts, WireDirection } from '../../ports/tap.ts'
import type { TransportKind } from '../../protocol/transport-kind.ts'

/** A frame of a foreign file. Frames of the same server and transport are one connection. */
export type ImportedFrame = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly serverName: string
  readonly transport: TransportKind
  /** Keeps connections of the same server apart, such as WebSockets. */
  readonly connection?: number
  readonly frame: Frame
}

/** What a foreign file has. `notes` say what it does not have, and what was left out. */
export type ImportedTraffic = { readonly frames: readonly ImportedFrame[]; readonly notes: readonly string[] }

const LIMITS = { ...DEFAULT_LIMITS, messageBytes: 64 * 1024 * 1024 }

/** Bytes of a message as a frame. Other bytes are an invalid message, with the reason. */
export function importedMessage(direction: WireDirection, bytes: Buffer, http?: HttpFacts): Frame {
  const parsed = parseMessage(bytes, LIMITS)
  const facts = { direction, bytes, ...(http !== undefined && { http }) }
  return parsed.ok
    ? { kind: 'message', ...facts }
    : { kind: 'invalid', ...facts, reason: parsed.error.message }
}

/** Whether a value is a message of JSON-RPC, or a batch of them. */
export function isJsonRpc(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isJsonRpc)
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') return false
  return typeof value['method'] === 'string' || 'result' in value || 'error' in value
}

/** Parses a text; undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first of these values that is a text. */
export function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string')
}

/** Writes "1 entry", "2 entries". */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
