import type { Readable, Writable } from 'node:stream'
import { LineCutter } from './line-cutter.ts'

/** Longer lines are not held together while somebody decides about them. */
const LONGEST_LINE = 64 * 1024 * 1024
const LF = 0x0a

/** Decides what goes on in place of each line; what goes on, it passes to `Flow.forward`, now or later. */
export type Interceptor = {
  /** A line as it came, with its ending. */
  line(line: Buffer): unknown
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
  #source: Readable
  #target: Writable
  readonly #observe: (bytes: Buffer) => void
  readonly #keepsTargetOpen: boolean
  readonly #done = Promise.withResolvers<void>()
  #interceptor: Interceptor | undefined
  #cutter: LineCutter | undefined
  /** The last byte that was forwarded is within a line. */
  #isWithinLine = false
  readonly #pauses = new Set<string>()
  #injected: Buffer[] = []
  #onLineEnd: (() => void) | undefined
  #leaveSource: () => void
  #leaveTarget: () => void
  #hasEnded = false

  constructor({ source, target, observe, keepsTargetOpen = false }: FlowOptions) {
    this.#source = source
    this.#target = target
    this.#observe = observe
    this.#keepsTargetOpen = keepsTargetOpen
    this.#leaveSource = this.#listenToSource(source)
    this.#leaveTarget = this.#listenToTarget(target)
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

  /** The source has ended, or one of both sides is closed. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Resolves with true when the last byte that was forwarded ends a line, with false after so many milliseconds. */
  async lineEnd(ms: number): Promise<boolean> {
    if (!this.#isWithinLine) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), ms)
    this.#onLineEnd = () => resolve(true)
    const isAtEnd = await promise
    clearTimeout(timer)
    this.#onLineEnd = undefined
    return isAtEnd
  }

  /** Reads another source from now on, after these bytes of it. A line that the former one did not end is ended. */
  replaceSource(source: Readable, first: Buffer = Buffer.alloc(0)): void {
    this.#leaveSource()
    // What it still writes goes nowhere, and must not block it.
    this.#source.on('error', () => undefined).resume()
    if (this.#cutter !== undefined && this.#interceptor !== undefined) {
      this.#cutter = undefined
      this.intercept(this.#interceptor)
    }
    if (this.#isWithinLine) this.#pass(Buffer.of(LF))
    this.#source = source
    this.#leaveSource = this.#listenToSource(source)
    if (this.#pauses.size > 0) source.pause()
    if (first.length > 0) this.#take(first)
  }

  /** Sends to another target from now on. The former one is ended. */
  replaceTarget(target: Writable): void {
    this.#leaveTarget()
    this.#target.on('error', () => undefined).end()
    this.#target = target
    this.#leaveTarget = this.#listenToTarget(target)
    this.release('target')
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

  #listenToSource(source: Readable): () => void {
    const data = (chunk: Buffer): void => this.#take(chunk)
    const end = (): void => void this.#end()
    const close = (): void => this.#done.resolve()
    source.on('data', data).on('end', end).on('error', end).on('close', close)
    return () => void source.off('data', data).off('end', end).off('error', end).off('close', close)
  }

  #listenToTarget(target: Writable): () => void {
    const drain = (): void => this.release('target')
    const broken = (): void => this.#broken()
    target.on('drain', drain).on('error', broken).on('close', broken)
    return () => void target.off('drain', drain).off('error', broken).off('close', broken)
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
    if (!this.#isWithinLine) this.#onLineEnd?.()
  }

  async #end(): Promise<void> {
    this.#hasEnded = true
    this.#cutter?.end()
    await this.#interceptor?.end()
    if (this.#target.writableEnded || this.#target.destroyed) this.#done.resolve()
    else if (this.#keepsTargetOpen) this.#target.write('', () => this.#done.resolve())
    else this.#target.end(() => this.#done.resolve())
  }

  #broken(): void {
    this.#hasEnded = true
    if (!this.#source.destroyed && !this.#source.readableEnded) this.#source.destroy()
    this.#done.resolve()
  }
}
