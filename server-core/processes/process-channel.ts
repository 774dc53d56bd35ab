import type { Duplex } from 'node:stream'
import { Emitter } from '../protocol/emitter.ts'
import { FrameReader, frameOf } from './message-frame.ts'
import { TurnBudget } from './turn-budget.ts'

/** The variable by which a process of Patchbay learns the descriptor of the channel to its parent. */
export const CHANNEL_VARIABLE = 'PATCHBAY_CHANNEL'
/** The descriptor itself: the first after stdin, stdout and stderr. */
export const CHANNEL_DESCRIPTOR = 3
/** Bytes of one message that a parent accepts from such a process. */
export const MAX_MESSAGE_BYTES = 64 * 2 ** 20
/** Milliseconds after which a message that began, and does not go on, breaks the channel. */
const STALL_MS = 5_000

export type ChannelOptions = {
  /** What each message carries; taken from the first message unless given. */
  readonly token?: Buffer
  /** Bytes of one message; any number unless given. */
  readonly maxBytes?: number
  /** Milliseconds within which a message must go on once it has begun. */
  readonly stallMs?: number
  /** Called once when something arrives that is not a message, with the reason as a clause. Nothing is read after it. */
  readonly onFault: (reason: string) => void
}

/**
 * One end of the channel between two of our processes. Node's own channel throws in its parent when a child writes
 * bytes that cannot be read, and waits for any length; here such bytes end the channel alone. Each message carries a
 * token that the parent chose, so that what other code of the child writes to the same descriptor is noticed at once.
 */
export class ProcessChannel {
  /** Resolves when the other side has closed it, or it broke. */
  readonly closed: Promise<void>
  readonly #stream: Duplex
  readonly #reader: FrameReader
  readonly #options: ChannelOptions
  readonly #messages = new Emitter<unknown>()
  #stall: NodeJS.Timeout | undefined
  #received = 0
  #isBroken = false

  constructor(stream: Duplex, options: ChannelOptions) {
    this.#stream = stream
    this.#options = options
    this.#reader = new FrameReader(options.token, options.maxBytes)
    this.closed = new Promise((resolve) => {
      stream.once('close', () => {
        clearTimeout(this.#stall)
        resolve()
      })
    })
    // The end of the other side says all there is to say.
    stream.on('error', () => undefined)
  }

  /**
   * Sends a message; does nothing once the channel is closed.
   *
   * @throws Error if the message cannot be serialized, or is longer than `maxBytes`
   */
  post(message: unknown, maxBytes?: number): void {
    if (this.#stream.destroyed || !this.#stream.writable) return
    this.#stream.write(frameOf(message, this.#reader.token, maxBytes))
  }

  /** Nothing is read before the first listener is there. */
  onMessage(listener: (message: unknown) => void): void {
    this.#messages.listen(listener)
    if (this.#messages.size > 1) return
    const turns = new TurnBudget(this.#stream)
    this.#stream.on('data', (chunk: Buffer) => {
      turns.spend(() => {
        this.#receive(chunk)
      })
    })
  }

  close(): void {
    this.#stream.destroy()
  }

  #receive(chunk: Buffer): void {
    if (this.#isBroken) return
    this.#received += chunk.length
    const fault = this.#reader.push(chunk, (message) => {
      this.#messages.emit(message)
    })
    if (fault !== undefined) this.#break(fault)
    else if (this.#reader.waitsFor === undefined) {
      clearTimeout(this.#stall)
      this.#stall = undefined
    } else if (this.#stall === undefined || this.#reader.waitsFor === 'body') this.#watchStall()
  }

  /** The bytes of a head come at once; those of a body may take any time as long as they come. */
  #watchStall(): void {
    clearTimeout(this.#stall)
    const { stallMs = STALL_MS } = this.#options
    this.#stall = setTimeout(() => {
      const before = this.#received
      // What arrived while this process had no time is read first.
      setImmediate(() => {
        if (this.#received !== before) this.#watchStall()
        else this.#break(`began a message and did not complete it within ${stallMs / 1_000} s`)
      })
    }, stallMs).unref()
  }

  #break(reason: string): void {
    if (this.#isBroken || this.#stream.destroyed) return
    this.#isBroken = true
    clearTimeout(this.#stall)
    this.#stream.destroy()
    this.#options.onFault(reason)
  }
}
