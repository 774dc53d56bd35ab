import type { Readable, Writable } from 'node:stream'
import { LineSplitter } from '../../../server-core/transports/stdio/line-splitter.ts'
import type { Direction, MessageMutator } from './message-mutator.ts'

const MAX_LINE = 256 * 1024 * 1024

/** Passes lines from one stream to another through a mutator; the end is passed on too. */
export function pipeLines(
  mutator: MessageMutator,
  direction: Direction,
  from: Readable,
  to: Writable,
  back: Writable,
  onEnd: () => void = () => to.end(),
  crash: () => void = () => from.destroy(),
): void {
  const write = (target: Writable, bytes: Buffer) => {
    if (!target.writableEnded) target.write(Buffer.concat([bytes, Buffer.from('\n')]))
  }
  const splitter = new LineSplitter(MAX_LINE, (line) => {
    const reply = (bytes: Buffer) => {
      write(back, bytes)
    }
    const pieces = mutator.change(direction, Buffer.from(line), { reply, crash })
    for (const piece of pieces) write(to, piece)
  })
  from.on('data', (bytes: Buffer) => {
    splitter.push(bytes)
  })
  from.on('end', () => {
    splitter.end()
    onEnd()
  })
}
