import type { HttpFacts } from '../../ports/tap.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { Side, TransportName } from '../catalogue/catalogue.ts'
import type { CapturedConnection, CapturedFrame } from './captured-frame.ts'

/** What a connection reports of one frame; the log adds the rest. */
export type FrameInput = {
  readonly kind: CapturedFrame['kind']
  readonly from: Side
  readonly bytes: Uint8Array
  readonly value?: unknown
  readonly http?: HttpFacts | undefined
  readonly reason?: string
}

/** Numbers frames and connections over the whole run, so that a finding names a frame once and for all. */
export class FrameNumbers {
  #frames = 0
  #connections = 0
  #logs = 0

  nextLog(): number {
    return (this.#logs += 1)
  }

  nextFrame(): number {
    return (this.#frames += 1)
  }

  nextConnection(): number {
    return (this.#connections += 1)
  }
}

/** Most bytes that the frames of one check may hold; later frames keep their beginning only. */
const MAX_BYTES = 32 * 1024 * 1024
const BEGINNING = 4_096

/** The frames of one check, in the order in which they were seen. */
export class FrameLog {
  readonly frames: CapturedFrame[] = []
  readonly #numbers: FrameNumbers
  readonly #onFrame: ((frame: CapturedFrame) => void) | undefined
  readonly #run: number
  #bytes = 0

  /** `onFrame` receives each frame at once, for a recording. */
  constructor(numbers: FrameNumbers = new FrameNumbers(), onFrame?: (frame: CapturedFrame) => void) {
    this.#numbers = numbers
    this.#run = numbers.nextLog()
    this.#onFrame = onFrame
  }

  connection(transport: TransportName, revision?: Revision): CapturedConnection {
    return { number: this.#numbers.nextConnection(), run: this.#run, transport, revision }
  }

  record(connection: CapturedConnection, input: FrameInput): CapturedFrame {
    const isOver = this.#bytes + input.bytes.length > MAX_BYTES
    const bytes = isOver ? input.bytes.slice(0, BEGINNING) : input.bytes
    this.#bytes += bytes.length
    const frame: CapturedFrame = {
      index: this.#numbers.nextFrame(),
      at: performance.timeOrigin + performance.now(),
      connection,
      kind: input.kind,
      from: input.from,
      bytes,
      value: input.value,
      http: input.http,
      reason: input.reason,
    }
    this.frames.push(frame)
    this.#onFrame?.(frame)
    return frame
  }
}
