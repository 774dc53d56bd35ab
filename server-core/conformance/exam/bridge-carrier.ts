import type { Socket } from 'node:net'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { parsedOf } from '../frames/parsed-value.ts'
import { LineSplitter } from '../../transports/stdio/line-splitter.ts'
import { ExamConnection } from './exam-connection.ts'
import type { ExamParts } from './exam-parts.ts'
import { receive } from './exam-session.ts'
import { LineReplies } from './line-replies.ts'
import { writeApart } from './write-apart.ts'

/** What the client did with the process it started: `started`, `input-ended`, `signal`. */
export type BridgeEvent = JsonObject & { readonly type: unknown; readonly at: number }

const MAX_LINE = 64 * 1024 * 1024
const LINE_END = Buffer.from('\n')

/** stdio of the exam server: the process that the client starts joins its pipes with this end. */
export class BridgeCarrier {
  readonly #parts: ExamParts
  readonly #onEvent: (event: BridgeEvent) => void
  readonly #controls = new Set<Socket>()

  constructor(parts: ExamParts, onEvent: (event: BridgeEvent) => void) {
    this.#parts = parts
    this.#onEvent = onEvent
  }

  /** Sends a line to every process of the client. */
  control(command: string): void {
    for (const socket of this.#controls) socket.write(`${command}\n`)
  }

  accept(socket: Socket): void {
    socket.on('error', () => undefined)
    let begin: ((line: Buffer) => void) | undefined
    const splitter = new LineSplitter(MAX_LINE, (line) => {
      if (begin !== undefined) begin(line)
      else if (line.toString() === 'control') begin = this.#controlLine(socket)
      else begin = this.#dataLine(socket)
    })
    socket.on('data', (bytes: Buffer) => {
      splitter.push(bytes)
    })
  }

  #controlLine(socket: Socket): (line: Buffer) => void {
    this.#controls.add(socket)
    socket.once('close', () => this.#controls.delete(socket))
    return (line) => {
      const event = parsedOf(line)
      if (event.ok && isJsonObject(event.value))
        this.#onEvent({ ...event.value, type: event.value['type'], at: performance.now() })
    }
  }

  #dataLine(socket: Socket): (line: Buffer) => void {
    const { log, cell, dialogue, onConnection, onError } = this.#parts
    const connection = new ExamConnection('stdio', {
      log,
      captured: log.connection('stdio', cell.revision),
      answerMs: this.#parts.answerMs,
      end: () => socket.end(),
    })
    connection.deliverBy((bytes, pieces = [bytes]) => {
      void writeApart(socket, [...pieces.slice(0, -1), Buffer.concat([pieces.at(-1) ?? bytes, LINE_END])])
    })
    socket.once('end', () => {
      connection.ended('the client ended the input')
    })
    socket.once('close', () => {
      connection.ended('the process ended')
    })
    onConnection(connection)
    const replies = new LineReplies(connection)
    return (line) => {
      if (line.length === 0) return
      const parsed = parsedOf(line)
      const frame = log.record(connection.captured, {
        from: 'client',
        bytes: Buffer.from(line),
        ...(parsed.ok
          ? { kind: 'message', value: parsed.value }
          : { kind: 'invalid', reason: 'a line that is not JSON' }),
      })
      receive(frame, connection, dialogue, replies, onError)
    }
  }
}
