import type { CapturedFrame } from '../../server-core/conformance/frames/captured-frame.ts'
import { parsedOf } from '../../server-core/conformance/frames/parsed-value.ts'
import type { Side } from '../../server-core/conformance/catalogue/catalogue.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { Messages, type ChangeMessage, type Fault, type MessageContext } from './mutant.ts'

/** Whether recorded frames show all that the fault does: it changes what the peer writes, and nothing else. */
export function isReplayable(fault: Fault): fault is Fault & { readonly outgoing: ChangeMessage } {
  return fault.outgoing !== undefined && Object.keys(fault).length === 1
}

/**
 * The frames of correct peers as they would be if one side had the fault. Runs in which it changes nothing are left
 * out: the examination of the correct pair has judged them.
 */
export function replay(
  frames: readonly CapturedFrame[],
  side: Side,
  outgoing: ChangeMessage,
): readonly CapturedFrame[] {
  const replayed = new Replay(side, outgoing)
  return frames
    .flatMap((frame) => replayed.frames(frame))
    .filter(({ connection }) => replayed.changedRuns.has(connection.run))
}

/** What the fault and the replay remember of one connection. */
type ReplayedConnection = {
  readonly notes: Map<string, unknown>
  /** Requests by side and id. */
  readonly requests: Map<string, JsonObject>
  /** Requests that never went out, which therefore get no answer. */
  readonly dropped: Set<string>
  /** Headers of the requests, by exchange. */
  readonly headers: Map<number, Readonly<Record<string, string>>>
}

class Replay {
  readonly #side: Side
  readonly #outgoing: ChangeMessage
  readonly changedRuns = new Set<number>()
  readonly #peer = new Map<string, unknown>()
  readonly #connections = new Map<number, ReplayedConnection>()

  constructor(side: Side, outgoing: ChangeMessage) {
    this.#side = side
    this.#outgoing = outgoing
  }

  /** The frames in place of one. */
  frames(frame: CapturedFrame): readonly CapturedFrame[] {
    const connection = this.#connection(frame)
    const { from, http, kind, value } = frame
    if (from === 'client' && http !== undefined) connection.headers.set(http.exchange, http.headers)
    if (kind !== 'message') return [frame]
    try {
      if (!Array.isArray(value)) {
        const changed = this.#messages(frame, value, connection, false)
        return changed === undefined
          ? [frame]
          : changed.map((message, at) => ({ ...encoded(frame, message), index: frame.index + at / 1_000 }))
      }
      const items = value as unknown[]
      const changes = items.map((item) => this.#messages(frame, item, connection, true))
      if (changes.every((changed) => changed === undefined)) return [frame]
      const written = changes.flatMap((changed, at) => changed ?? [items[at]])
      return written.length === 0 ? [] : [encoded(frame, written)]
    } catch (error) {
      // It nests too deeply to be changed, so the fault leaves it as it came.
      if (error instanceof RangeError) return [frame]
      throw error
    }
  }

  /** The messages in place of one; undefined if it stays as it is. */
  #messages(
    { from, connection: { transport, run }, http }: CapturedFrame,
    message: unknown,
    connection: ReplayedConnection,
    isInArray: boolean,
  ): readonly unknown[] | undefined {
    if (!isJsonObject(message)) return undefined
    const isAnswer = message['method'] === undefined
    const asker = isAnswer === (from === 'client') ? 'server' : 'client'
    const key = `${asker} ${JSON.stringify(message['id'])}`
    const isRequest = !isAnswer && 'id' in message
    if (isRequest) {
      connection.requests.set(key, message)
      connection.dropped.delete(key)
    }
    if (isAnswer && connection.dropped.has(key)) return []
    if (from !== this.#side) return undefined
    const context: MessageContext = {
      transport,
      connection: connection.notes,
      peer: this.#peer,
      isInArray,
      answers: isAnswer ? connection.requests.get(key) : undefined,
      headers: (http === undefined ? undefined : connection.headers.get(http.exchange)) ?? {},
      reply: () => undefined,
    }
    const changed = this.#outgoing(message, context)
    if (changed === message) return undefined
    this.changedRuns.add(run)
    if (changed instanceof Messages) return changed.messages
    if (changed !== undefined) return [changed]
    if (isRequest) connection.dropped.add(key)
    return []
  }

  #connection({ connection: { number } }: CapturedFrame): ReplayedConnection {
    const known = this.#connections.get(number)
    if (known !== undefined) return known
    const connection = {
      notes: new Map(),
      requests: new Map(),
      dropped: new Set<string>(),
      headers: new Map(),
    }
    this.#connections.set(number, connection)
    return connection
  }
}

function encoded(frame: CapturedFrame, message: unknown): CapturedFrame {
  const bytes = Buffer.isBuffer(message) ? message : Buffer.from(JSON.stringify(message))
  const parsed = parsedOf(bytes)
  return parsed.ok
    ? { ...frame, bytes, value: parsed.value }
    : { ...frame, kind: 'invalid', bytes, value: undefined, reason: 'not JSON' }
}
