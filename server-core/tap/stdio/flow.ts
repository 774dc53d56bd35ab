import type { Readable, Writable } from 'node:stream'
import { LineCutter } from './line-cutter.ts'

/** Longer lines are not held together while somebody decides about them. */
const LONGEST_LINE = 64 * 1024 * 1024
const LF = 0x0a

/** Decides what goes on in place of each line; what goes on, it passes to `Flow.forward`, now or later. */
export type Interceptor = {
  /** A line as it came, with its ending. */
  line(line: Buffer): void
  /** The source ended: whatever is still to go on has to be forwarded before the promise resolves. */
  end(): Promise<void>
}

export type FlowOptions = {
  readonly source: Readable
  readonly target: Writable
  /** Sees bytes after they were forwarded. While lines are intercepted, the interceptor says what was seen. */
  readonly observe: (bytes: Buffer) => void
  /** The target stays open when the source ends: it is not ours alone. */
  readonly keepsTargetOpen?: boolean
}

/**
 * Forwards the bytes of one direction, as they come, and reads no faster than the target takes them. When the source ends,
 * so does the target; when the target breaks, the source is closed, so that its writer notices as it would without us.
 */
export class Flow {
  readonly #source: Readable
  readonly #target: Writable
  readonly #observe: (bytes: Buffer) => void
  readonly #keepsTargetOpen: boolean
  readonly #done = Promise.withResolvers<void>()
  #interceptor: Interceptor | undefined
  #cutter: LineCutter | undefined
  /** The last byte that was forwarded is within a line. */
  #isWithinLine = false
  readonly #pauses = new Set<string>()
  #injected: Buffer[] = []

  constructor({ source, target, observe, keepsTargetOpen = false }: FlowOptions) {
    this.#source = source
    this.#target = target
    this.#observe = observe
    this.#keepsTargetOpen = keepsTargetOpen
    source.on('data', (chunk: Buffer) => this.#take(chunk))
    source.on('end', () => void this.#end())
    source.on('error', () => void this.#end())
    source.on('close', () => this.#done.resolve())
    target.on('drain', () => this.release('target'))
    target.on('error', () => this.#broken())
    target.on('close', () => this.#broken())
  }

  /** Resolves when the source has ended and all its bytes are with the target. */
  get done(): Promise<void> {
    return this.#done.promise
  }

  /** Bytes that wait for the target. */
  get waitingBytes(): number {
    return this.#target.writableLength
  }

  /** Passes each line to an interceptor from the next line on; without one, bytes pass as they come. */
  intercept(interceptor: Interceptor | undefined): void {
    if (interceptor === undefined) {
      this.#interceptor = undefined
      this.#cutter?.end()
      this.#cutter = undefined
      return
    }
    this.#interceptor = interceptor
    this.#cutter ??= new LineCutter(LONGEST_LINE, (line, isWhole) => {
      const decide = this.#interceptor
      if (decide !== undefined && isWhole) decide.line(line)
      else this.#pass(line)
    })
  }

  /** Sends bytes to the target. */
  forward(bytes: Buffer): void {
    if (this.#target.destroyed || this.#target.writableEnded) return
    if (!this.#target.write(bytes)) this.hold('target')
  }

  /** Sends a line that did not come from the source, behind the line that is being forwarded. */
  inject(line: Buffer): void {
    if (this.#isWithinLine) this.#injected.push(line)
    else this.forward(line)
  }

  /** Closes both ends at once. */
  destroy(): void {
    this.#source.destroy()
    this.#target.destroy()
  }

  /** Reads nothing until `release` is called with the same reason. */
  hold(reason: string): void {
    this.#pauses.add(reason)
    this.#source.pause()
  }

  release(reason: string): void {
    if (this.#pauses.delete(reason) && this.#pauses.size === 0) this.#source.resume()
  }

  #take(chunk: Buffer): void {
    if (this.#interceptor === undefined) {
      this.#pass(chunk)
      return
    }
    // A line that began before is not the interceptor's.
    const rest = this.#isWithinLine ? chunk.indexOf(LF) + 1 : 0
    if (this.#isWithinLine && rest === 0) this.#pass(chunk)
    else {
      if (rest > 0) this.#pass(chunk.subarray(0, rest))
      this.#cutter?.push(chunk.subarray(rest))
    }
  }

  #pass(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.forward(bytes)
    this.#isWithinLine = bytes[bytes.length - 1] !== LF
    if (!this.#isWithinLine && this.#injected.length > 0)
      for (const line of this.#injected.splice(0)) this.forward(line)
    this.#observe(bytes)
  }

  async #end(): Promise<void> {
    this.#cutter?.end()
    await this.#interceptor?.end()
    if (this.#target.writableEnded || this.#target.destroyed) this.#done.resolve()
    else if (this.#keepsTargetOpen) this.#target.write('', () => this.#done.resolve())
    else this.#target.end(() => this.#done.resolve())
  }

  #broken(): void {
    if (!this.#source.destroyed && !this.#source.readableEnded) this.#source.destroy()
    this.#done.resolve()
  }
}
