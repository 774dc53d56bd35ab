import type { WireTransport } from '../../protocol/transport-kind.ts'
import type { HttpFacts } from '../../ports/tap.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { Side } from '../catalogue/catalogue.ts'
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

/** Most bytes that the frames of one check may hold; later ones are not kept. */
const MAX_BYTES = 64 * 1024 * 1024
/** What a frame takes beside its bytes, so that a flood of short ones has an end too. */
export const FRAME_BYTES = 512

/** The frames of one check, in the order in which they were seen. */
export class FrameLog {
  readonly frames: CapturedFrame[] = []
  readonly #numbers: FrameNumbers
  readonly #onFrame: ((frame: CapturedFrame) => void) | undefined
  #run: number
  #bytes = 0
  readonly #full = Promise.withResolvers<number>()

  /** `onFrame` receives each frame at once, for a recording. */
  constructor(numbers: FrameNumbers = new FrameNumbers(), onFrame?: (frame: CapturedFrame) => void) {
    this.#numbers = numbers
    this.#run = numbers.nextLog()
    this.#onFrame = onFrame
  }

  /** Resolves, with the limit, when the frames are more than one check may hold. */
  get full(): Promise<number> {
    return this.#full.promise
  }

  connection(transport: WireTransport, revision?: Revision): CapturedConnection {
    return { number: this.#numbers.nextConnection(), run: this.#run, transport, revision }
  }

  /** Begins another run: connections from now on belong to another process of the peer. */
  beginRun(): void {
    this.#run = this.#numbers.nextLog()
  }

  /** Adds frames of another check: the beginning of a connection that this one goes on with. */
  repeat(frames: readonly CapturedFrame[]): void {
    this.frames.push(...frames)
  }

  record(connection: CapturedConnection, input: FrameInput): CapturedFrame {
    const { bytes } = input
    this.#bytes += bytes.length + FRAME_BYTES
    const isOver = this.#bytes > MAX_BYTES
    if (isOver) this.#full.resolve(MAX_BYTES)
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
    if (isOver) return frame
    this.frames.push(frame)
    this.#onFrame?.(frame)
    return frame
  }
}
