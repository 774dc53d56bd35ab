import type { Socket } from 'node:net'
import type { z } from 'zod'
import { messageOf } from '../../protocol/error-message.ts'
import { LineCutter, withoutEnding } from '../stdio/line-cutter.ts'
import { LONGEST_LINE } from './control-messages.ts'

/** Messages as lines of JSON over a socket. What cannot be read closes it. */
export class LineChannel<Received> {
  readonly #socket: Socket

  constructor(
    socket: Socket,
    schema: z.ZodType<Received>,
    handlers: { readonly message: (message: Received) => void; readonly closed: (reason: string) => void },
  ) {
    this.#socket = socket
    let reason = 'the channel was closed'
    const cutter = new LineCutter(LONGEST_LINE, (line, isWhole) => {
      if (socket.destroyed) return
      try {
        if (!isWhole) throw new Error(`a line is longer than ${LONGEST_LINE} bytes`)
        handlers.message(schema.parse(JSON.parse(withoutEnding(line).toString())))
      } catch (error) {
        reason = messageOf(error)
        socket.destroy()
      }
    })
    socket.on('data', (chunk: Buffer) => cutter.push(chunk))
    socket.on('error', (error) => (reason = error.message))
    socket.on('close', () => handlers.closed(reason))
  }

  /** Bytes that wait for the other side. */
  get waitingBytes(): number {
    return this.#socket.writableLength
  }

  send(message: object): void {
    if (!this.#socket.destroyed && !this.#socket.writableEnded)
      this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  close(): void {
    this.#socket.end()
  }
}
