import { Writable, type Readable } from 'node:stream'
import { TurnBudget } from '../../processes/turn-budget.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { limitsOf, type Limits } from '../../protocol/limits.ts'
import type { JsonRpcMessage } from '../../protocol/messages.ts'
import { parseFromClient } from '../../protocol/parse.ts'
import { TransportError, type LinkReceiver, type ServerLink } from '../../ports/contract.ts'
import {
  NO_FAULTS,
  type FaultGate,
  type FaultInjector,
  type FaultConnection,
} from '../../ports/fault-port.ts'
import { bytesOf, encodeLines, type EncodedMessage } from '../../ports/encoded-message.ts'
import { LineSplitter, withoutByteOrderMark } from './line-splitter.ts'
import { PlainLines } from './plain-lines.ts'
import { NO_TAP, recordLines, type Tap } from '../../ports/tap.ts'

/** The streams of a server over stdio. */
export type StdioServerOptions = {
  readonly input: Readable
  readonly output: Writable
  readonly tap?: Tap
  /** Default for those that are missing; `RangeError` for an invalid one. */
  readonly limits?: Partial<Limits>
  /** Faults that are made on purpose. */
  readonly faults?: FaultGate
  /** Where a flood on standard error goes; standard error if not given. */
  readonly errors?: Writable
}

const LINE_FEED = 0x0a
const NOTHING = new Uint8Array()
/** So many messages go out at once, so that their reader is at work while the next ones are made. */
const TOGETHER = 16
/** Bytes written at once: a reader that takes so many in the time allowed is slow, not stalled. */
const SLICE_BYTES = 2 * 1024 * 1024
/** Milliseconds a client has to take what is left when the link closes. */
const CLOSE_MS = 2_000

/**
 * The server's side of stdio (specification: Transports, stdio): one JSON message a line, in both directions.
 * Replies of one turn of the event loop are written together, some at a time. The end of the input lets the server finish; an
 * closed output (EPIPE), or a reader that lets `outgoingBufferBytes` pile up or reads nothing for
 * `outgoingStallMs`, is a closed link.
 *
 * @example
 * ```ts
 * import { PassThrough } from 'node:stream'
 * import { createServer, Registry, stdioServerLink } from 'patchbay/server'
 *
 * const server = createServer({ registry: new Registry(), info: { name: 'mine', version: '1.0.0' } })
 * // A program passes process.stdin and claimStandardOutput().
 * const input = new PassThrough()
 * const { closed } = server.attach(stdioServerLink({ input, output: new PassThrough() }))
 * input.end()
 * await closed
 * await server.close()
 * ```
 */
export function stdioServerLink(options: StdioServerOptions): ServerLink {
  return new StdioServerLink(options)
}

class StdioServerLink implements ServerLink {
  readonly kind = 'stdio'
  readonly #input: Readable
  readonly #output: Writable
  readonly #tap: Tap
  readonly #limits: Limits
  readonly #faults: FaultGate
  readonly #errors: Writable | undefined
  #line: FaultConnection | undefined
  #receiver: LinkReceiver | undefined
  #waiting: EncodedMessage[] = []
  #flushScheduled = false
  /** Runs from when the output last took something, or was given something after it had taken all. */
  #stallTimer: NodeJS.Timeout | undefined
  #refused = false
  #closed = false

  constructor(options: StdioServerOptions) {
    this.#input = options.input
    this.#output = options.output
    this.#tap = options.tap ?? NO_TAP
    this.#limits = limitsOf(options.limits)
    this.#faults = options.faults ?? NO_FAULTS
    this.#errors = options.errors
  }

  start(receiver: LinkReceiver): void {
    this.#receiver = receiver
    this.#lifecycle('opened', 'reading messages from standard input')
    const splitter = new LineSplitter(this.#limits.messageBytes, (line) => {
      this.#readLine(line)
    })
    const turns = new TurnBudget({
      pause: () => this.#input.pause(),
      // A paused input lets the process end.
      resume: () => {
        if (!this.#closed && !this.#refused) this.#input.resume()
      },
    })
    this.#input.on('data', (chunk: Buffer) => {
      turns.spend(() => {
        this.#split(() => {
          this.#read(chunk, splitter)
        })
      })
    })
    this.#input.on('end', () => {
      this.#split(() => {
        splitter.end()
      })
      if (!this.#closed) receiver.ended()
    })
    this.#input.on('error', (error) => {
      this.#lose(`standard input failed: ${error.message}`)
    })
    this.#output.on('error', (error) => {
      this.#lose(`the client stopped reading: ${error.message}`)
    })
    this.#output.on('close', () => {
      this.#lose('standard output was closed')
    })
  }

  send(message: JsonRpcMessage): void {
    this.sendEncoded(JSON.stringify(message))
  }

  sendEncoded(message: EncodedMessage): void {
    const { injector } = this.#faults
    if (injector === undefined) this.#put(message)
    else this.#faulty(injector).send(bytesOf(message))
  }

  #put(message: EncodedMessage): void {
    if (this.#closed) return
    this.#waiting.push(message)
    if (this.#waiting.length >= TOGETHER) this.#flush()
    if (this.#flushScheduled) return
    this.#flushScheduled = true
    setImmediate(() => {
      this.#flushScheduled = false
      this.#flush()
    })
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#flush()
    return new Promise((resolve) => {
      const over = (note: string) => {
        clearTimeout(deadline)
        this.#lose(note)
        resolve()
      }
      const deadline = setTimeout(() => {
        over(`closed by the server; the client did not take the rest within ${CLOSE_MS} ms`)
        this.#output.destroy()
      }, CLOSE_MS)
      // The callback comes when everything before it was written, or when the output failed.
      this.#output.write('', () => {
        over('closed by the server')
      })
    })
  }

  #split(act: () => void): void {
    if (this.#refused) return
    try {
      act()
    } catch (error) {
      this.#refuse(error)
    }
  }

  #read(chunk: Buffer, splitter: LineSplitter): void {
    let start = 0
    if (splitter.pendingBytes > 0) {
      // Behind the end of the line that had begun.
      start = chunk.indexOf(LINE_FEED) + 1 || chunk.length
      splitter.push(chunk.subarray(0, start))
    }
    const isTogether = start < chunk.length && this.#readsTogether()
    const lines = isTogether ? PlainLines.of(chunk, this.#limits) : undefined
    while (lines !== undefined && this.#readsTogether()) {
      const { values, ends } = lines.parse(start, TOGETHER)
      const end = ends.at(-1)
      if (end === undefined) break
      recordLines(this.#tap, { direction: 'received', bytes: chunk, start, ends, values })
      for (const value of values) this.#take(value)
      start = end + 1
    }
    if (start < chunk.length) splitter.push(start === 0 ? chunk : chunk.subarray(start))
  }

  /** Each message may close the link, or turn faults on. */
  #readsTogether(): boolean {
    return this.#faults.injector === undefined && !this.#closed
  }

  #take(value: unknown): void {
    if (this.#closed) return
    const { injector } = this.#faults
    if (injector !== undefined) this.#faulty(injector).received(value)
    this.#receiver?.message(value)
  }

  #readLine(line: Buffer): void {
    if (line.length === 0 || this.#closed) return
    const parsed = parseFromClient(withoutByteOrderMark(line), this.#limits)
    if (parsed.ok) {
      this.#tap.record({ kind: 'message', direction: 'received', bytes: line, parsed: parsed.value })
      this.#take(parsed.value)
    } else {
      const reason = parsed.error.message
      this.#tap.record({ kind: 'invalid', direction: 'received', bytes: line, reason })
      this.#receiver?.invalid(parsed.error)
    }
  }

  /** A line without end cannot be skipped: the client gets the reason, and the link closes. */
  #refuse(error: unknown): void {
    if (!(error instanceof TransportError)) throw error
    this.#refused = true
    this.#input.pause()
    const data = { limit: 'messageBytes', value: this.#limits.messageBytes }
    this.#receiver?.invalid(new ProtocolError(ErrorCode.invalidRequest, error.message, data))
    void this.close()
  }

  #flush(): void {
    if (this.#waiting.length === 0 || this.#closed) return
    // One message may be longer than the bound: only what comes on top of it is too much.
    if (this.#output.writableLength > this.#limits.outgoingBufferBytes) {
      this.#cut(`over ${this.#limits.outgoingBufferBytes} bytes wait (outgoingBufferBytes)`)
      return
    }
    const { bytes, ends } = encodeLines(this.#waiting)
    this.#waiting = []
    recordLines(this.#tap, { direction: 'sent', bytes, start: 0, ends })
    if (this.#output.writableLength === 0) this.#stallTimer?.refresh()
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      this.#output.write(bytes.subarray(start, start + SLICE_BYTES), this.#taken)
    }
    this.#stallTimer ??= setTimeout(() => {
      this.#stallTimer = undefined
      if (this.#closed || this.#output.writableLength === 0) return
      this.#cut(`it took nothing for ${this.#limits.outgoingStallMs} ms (outgoingStallMs)`)
    }, this.#limits.outgoingStallMs).unref()
  }

  readonly #taken = (): void => {
    this.#stallTimer?.refresh()
  }

  #cut(reason: string): void {
    this.#lose(`the client does not read: ${reason}`)
    this.#output.destroy()
  }

  #faulty(injector: FaultInjector): FaultConnection {
    return (this.#line ??= injector.line('stdio', {
      pass: (bytes) => {
        this.#put(bytes)
      },
      cut: (bytes) => {
        this.#break(bytes.subarray(0, bytes.length / 2))
      },
      close: () => {
        this.#break(NOTHING)
      },
      flood: (bytes) => {
        flood(this.#errors ?? process.stderr, bytes)
      },
      mark: (note) => {
        // Earlier messages precede it.
        this.#flush()
        this.#tap.record({ kind: 'fault', direction: 'sent', bytes: Buffer.from(note) })
      },
    }))
  }

  /** Ends the output behind what was sent and the beginning of one line more. */
  #break(line: Uint8Array): void {
    this.#flush()
    if (this.#closed) return
    if (line.length > 0) {
      this.#tap.record({ kind: 'invalid', direction: 'sent', bytes: line, reason: 'broken off by a fault' })
    }
    this.#output.end(line)
    // A process is at its end when nothing is left to read either.
    this.#input.destroy()
    this.#lose('closed by a fault')
  }

  #lose(note: string): void {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#stallTimer)
    this.#line?.end()
    this.#input.pause()
    this.#lifecycle('closed', note)
    this.#receiver?.closed()
  }

  #lifecycle(event: 'opened' | 'closed', note: string): void {
    this.#tap.record({ kind: 'lifecycle', direction: 'received', bytes: NOTHING, event, note })
  }
}

const FLOOD_LINE = `${'Flood on standard error, made on purpose. '.repeat(24)}\n`

function flood(errors: Writable, bytes: number): void {
  for (let left = bytes; left > 0; left -= FLOOD_LINE.length) errors.write(FLOOD_LINE.slice(-left))
}

/**
 * Takes the process's standard output for messages alone: gives the stream to write them to, and everything else
 * that is printed (`console.log`, a library's notice) goes to standard error from now on.
 *
 * @example
 * ```ts
 * import { claimStandardOutput } from 'patchbay/server'
 *
 * const output = claimStandardOutput()
 * console.log('goes to standard error now')
 * output.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
 * ```
 */
export function claimStandardOutput(): Writable {
  const standard = process.stdout
  const write = standard.write.bind(standard)
  standard.write = process.stderr.write.bind(process.stderr)
  const messages = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      write(chunk, (error?: Error | null) => {
        done(error)
      })
    },
  })
  standard.on('error', (error: Error) => messages.destroy(error))
  return messages
}
