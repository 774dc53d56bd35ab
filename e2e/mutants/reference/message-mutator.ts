import type { WireTransport } from '../../../server-core/protocol/transport-kind.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { Messages, type ChangeMessage, type Fault, type MessageContext } from '../mutant.ts'

/** The two directions of a connection to a mutated peer. */
export type Direction = 'outgoing' | 'incoming'

/** How one piece came, and what can be done about it. */
export type Way = {
  /** Writes a piece back to where this one came from. */
  readonly reply: (bytes: Buffer) => void
  /** HTTP headers of its request. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body of the HTTP request that it answers: exchanges without a session share ids. */
  readonly asked?: Buffer
  /** Ends the connection as a crash would. */
  readonly crash?: () => void
}

/** Applies the faults of messages on one connection. */
export class MessageMutator {
  readonly #fault: Fault
  readonly #transport: WireTransport
  readonly #peer: Map<string, unknown>
  readonly #connection = new Map<string, unknown>()
  #crash: () => void = () => undefined
  #isInArray = false
  /** Open requests by direction and id. */
  readonly #open = new Map<string, JsonObject>()

  constructor(fault: Fault, transport: WireTransport, peer: Map<string, unknown>) {
    this.#fault = fault
    this.#transport = transport
    this.#peer = peer
  }

  /** Whether a fault looks at bytes or messages. */
  static isNeeded({ outgoing, outgoingBytes, incoming, incomingBytes }: Fault): boolean {
    return [outgoing, outgoingBytes, incoming, incomingBytes].some((hook) => hook !== undefined)
  }

  /**
   * The pieces to pass on for one piece that came: a line, a body, an event, a WebSocket message. What does not change,
   * and what nests too deeply to be changed, is passed on as it came.
   */
  change(direction: Direction, bytes: Buffer, way: Way): readonly Buffer[] {
    try {
      return this.#changed(direction, bytes, way)
    } catch (error) {
      if (error instanceof RangeError) return [bytes]
      throw error
    } finally {
      this.#isInArray = false
    }
  }

  #changed(direction: Direction, bytes: Buffer, way: Way): readonly Buffer[] {
    const { reply, headers = {}, asked, crash = () => undefined } = way
    this.#crash = crash
    if (asked !== undefined) this.#noteBody(direction, asked)
    const parsed = tryParse(bytes)
    if (parsed === undefined || typeof parsed.value !== 'object') {
      const context = this.#context(direction, undefined, reply, headers)
      const changed =
        direction === 'incoming' && this.#fault.incomingBytes !== undefined
          ? this.#fault.incomingBytes(bytes, context)
          : bytes
      return changed === undefined ? [] : [changed]
    }
    const { value } = parsed
    if (Array.isArray(value)) {
      this.#isInArray = true
      const changes = (value as unknown[]).map((item) => this.#messages(direction, item, reply, headers))
      if (changes.every((items) => items === undefined)) return [this.#unchanged(direction, bytes, value)]
      const items = changes.flatMap((changed, index) => changed ?? [(value as unknown[])[index]])
      return [this.#encode(direction, items)]
    }
    const messages = this.#messages(direction, value, reply, headers)
    if (messages === undefined) return [this.#unchanged(direction, bytes, value)]
    return messages.map((message) => this.#encode(direction, message))
  }

  /** The messages in place of one; undefined if it stays as it is, byte for byte. */
  #messages(
    direction: Direction,
    message: unknown,
    reply: (bytes: Buffer) => void,
    headers: Readonly<Record<string, string>>,
  ): readonly unknown[] | undefined {
    if (!isJsonObject(message)) return undefined
    const change: ChangeMessage | undefined = this.#fault[direction]
    const answers = this.#note(direction, message)
    if (change === undefined) return undefined
    const changed = change(message, this.#context(direction, answers, reply, headers))
    if (changed === message) return undefined
    if (changed instanceof Messages) return changed.messages
    return changed === undefined ? [] : [changed]
  }

  #noteBody(direction: Direction, body: Buffer): void {
    const value = tryParse(body)?.value
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isJsonObject(message)) this.#note(direction === 'outgoing' ? 'incoming' : 'outgoing', message)
  }

  /** Remembers requests, and finds the one that a response answers. */
  #note(direction: Direction, message: JsonObject): JsonObject | undefined {
    const id = JSON.stringify(message['id'])
    if (message['method'] !== undefined) {
      if ('id' in message) this.#open.set(`${direction} ${id}`, message)
      return undefined
    }
    return this.#open.get(`${direction === 'outgoing' ? 'incoming' : 'outgoing'} ${id}`)
  }

  #context(
    direction: Direction,
    answers: JsonObject | undefined,
    reply: (bytes: Buffer) => void,
    headers: Readonly<Record<string, string>>,
  ): MessageContext {
    const back = direction === 'incoming' ? 'outgoing' : 'incoming'
    return {
      transport: this.#transport,
      connection: this.#connection,
      peer: this.#peer,
      isInArray: this.#isInArray,
      answers,
      headers,
      crash: this.#crash,
      reply: (message) => {
        reply(this.#encode(back, message))
      },
    }
  }

  #unchanged(direction: Direction, bytes: Buffer, message: unknown): Buffer {
    return direction === 'outgoing' ? this.#outgoingBytes(bytes, message) : bytes
  }

  #encode(direction: Direction, message: unknown): Buffer {
    const bytes = Buffer.isBuffer(message) ? message : Buffer.from(JSON.stringify(message))
    return direction === 'outgoing' ? this.#outgoingBytes(bytes, message) : bytes
  }

  #outgoingBytes(bytes: Buffer, message: unknown): Buffer {
    return this.#fault.outgoingBytes?.(bytes, message) ?? bytes
  }
}

function tryParse(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(bytes.toString()) as unknown }
  } catch {
    return undefined
  }
}
