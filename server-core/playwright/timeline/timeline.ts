import type { TransportKind } from '../../protocol/transport-kind.ts'
import { Emitter } from '../../protocol/emitter.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { isRequestId } from '../../protocol/messages.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { Frame, Tap } from '../../ports/tap.ts'
import { timelineFrame, type TimelineFrame } from './frame.ts'

/** What is known of a connection once it is open. */
export type ConnectionFacts = {
  readonly revision: Revision
  readonly transport: TransportKind
  /** The client capabilities that were declared. */
  readonly capabilities: JsonObject
}

/** A request and its response. */
export type TimelineExchange = {
  readonly method: string
  readonly params: JsonObject
  readonly from: 'client' | 'server'
  readonly request: TimelineFrame
  /** Missing until it comes. */
  readonly response?: TimelineFrame
  /** Milliseconds from request to response. */
  readonly durationMs?: number
}

/** A notification with its parameters. */
export type TimelineNotification = {
  readonly method: string
  readonly params: JsonObject
  readonly from: 'client' | 'server'
  readonly frame: TimelineFrame
}

/** Frames that one test keeps; older ones are only in its recording. */
const MOST_FRAMES = 100_000

/**
 * Everything that was sent and received in a test, on all of its connections.
 *
 * @example
 * ```ts
 * import { expect, test } from 'patchbay/test'
 *
 * test.use({ server: { command: 'node', args: ['server.js'] } })
 *
 * test('adds', async ({ mcp, timeline }) => {
 *   await mcp.callTool('add', { a: 1, b: 2 })
 *   expect(timeline.exchanges('tools/call')).toHaveLength(1)
 *   expect(timeline).toConform()
 * })
 * ```
 */
export class Timeline {
  /** Who the client of the test says it is. */
  readonly clientName: string
  readonly #startedAt = performance.now()
  readonly #facts = new Map<number, ConnectionFacts>()
  readonly #frameEvents = new Emitter()
  #frames: TimelineFrame[] = []
  #first = 0
  #connections = 0

  /** @param clientName who the client says it is */
  constructor(clientName: string) {
    this.clientName = clientName
  }

  /** All frames, in the order in which they were seen. */
  get frames(): readonly TimelineFrame[] {
    return this.#frames
  }

  /** The number that the next frame gets. */
  get next(): number {
    return this.#first + this.#frames.length
  }

  /** Frames from one number on, of one connection if it is given. */
  since(number: number, connection?: number): readonly TimelineFrame[] {
    return this.#frames
      .slice(Math.max(0, number - this.#first))
      .filter((frame) => connection === undefined || frame.connection === connection)
  }

  /** Requests with their responses, in the order in which they were sent; of one method if it is given. */
  exchanges(method?: string): readonly TimelineExchange[] {
    const exchanges: TimelineExchange[] = []
    const open = new Map<string, number>()
    for (const frame of this.#frames) {
      for (const message of frame.messages) {
        const { id, method: name, params } = message
        if (!isRequestId(id)) continue
        // A response comes from the side that did not ask.
        const asker = typeof name === 'string' ? frame.from : frame.from === 'client' ? 'server' : 'client'
        const key = `${frame.connection} ${asker} ${JSON.stringify(id)}`
        if (typeof name === 'string') {
          open.set(key, exchanges.length)
          const given = isJsonObject(params) ? params : {}
          exchanges.push({ method: name, params: given, from: asker, request: frame })
          continue
        }
        const index = open.get(key)
        const exchange = index === undefined ? undefined : exchanges[index]
        if (index === undefined || exchange === undefined) continue
        open.delete(key)
        const durationMs = frame.at - exchange.request.at
        exchanges[index] = { ...exchange, response: frame, durationMs }
      }
    }
    return method === undefined ? exchanges : exchanges.filter((exchange) => exchange.method === method)
  }

  /** Notifications of both sides; of one method if it is given. */
  notifications(method?: string): readonly TimelineNotification[] {
    return this.#frames.flatMap((frame) =>
      frame.messages.flatMap((message): TimelineNotification[] => {
        const { id, method: name, params } = message
        if (typeof name !== 'string' || id !== undefined) return []
        if (method !== undefined && name !== method) return []
        return [{ method: name, params: isJsonObject(params) ? params : {}, from: frame.from, frame }]
      }),
    )
  }

  /** What is known of a connection; undefined until it is open. */
  facts(connection: number): ConnectionFacts | undefined {
    return this.#facts.get(connection)
  }

  /** Calls back at each frame. Returns the function that stops it. */
  onFrame(listener: () => void): () => void {
    return this.#frameEvents.listen(listener)
  }

  /** Begins a connection. `side`: who carries the tap. */
  open(side: 'client' | 'server'): OpenedConnection {
    this.#connections += 1
    const connection = this.#connections
    const other = side === 'client' ? 'server' : 'client'
    const record = (frame: Frame): void => {
      const at = performance.now() - this.#startedAt
      const from = frame.direction === 'sent' ? side : other
      this.#frames.push(timelineFrame(frame, { number: this.next, at, connection, from }))
      if (this.#frames.length > MOST_FRAMES) this.#dropOldest()
      this.#frameEvents.emit()
    }
    return {
      number: connection,
      tap: { record },
      agreed: (facts) => {
        this.#facts.set(connection, facts)
      },
    }
  }

  #dropOldest(): void {
    const dropped = MOST_FRAMES / 10
    this.#frames = this.#frames.slice(dropped)
    this.#first += dropped
  }
}

/** A connection that the timeline watches. */
export type OpenedConnection = {
  readonly number: number
  readonly tap: Tap
  /** To be called once it is open. */
  readonly agreed: (facts: ConnectionFacts) => void
}
