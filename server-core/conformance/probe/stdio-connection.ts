import { setImmediate as turn } from 'node:timers/promises'
import { Stopped } from '../examination.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { parsedOf } from '../frames/parsed-value.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import type { ConnectionUse } from './connection-use.ts'
import { elapsed } from './waits.ts'
import { ProbeConnection, type ConnectionParts, type SendOptions, type Sent } from './connection.ts'
import type { ProcessExit, ProcessHandle, StartProcess } from './process-handle.ts'
import type { IdleConnection } from './shared-connections.ts'

const LINE_FEED = 0x0a
/** Most bytes of stderr that are kept. */
const MAX_STDERR = 1024 * 1024
/** What a start takes, in waits for an answer: many processes start at once. */
const STARTING = 4
const MAX_LINE = 64 * 1024 * 1024

/** A server process over its pipes. */
export class StdioConnection extends ProbeConnection {
  readonly transport = 'stdio'
  /** How the process ended, once it has. */
  exit: ProcessExit | undefined
  readonly #start: StartProcess
  #process: ProcessHandle | undefined
  #starting: Promise<ProcessHandle> | undefined
  #pending: Buffer[] = []
  #stderr = ''
  #isInputOpen = true
  /** What was sent since the handshake; undefined stands for bytes that are not an ordinary message. */
  readonly #sent: unknown[] = []
  #opening: readonly CapturedFrame[] = []
  readonly #onOutput = (bytes: Buffer) => {
    this.#read(bytes)
  }
  readonly #onErrors = (bytes: Buffer) => {
    if (this.#stderr.length < MAX_STDERR) this.#stderr += bytes.toString()
    this.parts.log.record(this.captured, { kind: 'stderr', from: 'server', bytes })
  }

  constructor(parts: ConnectionParts, start: StartProcess, before?: IdleConnection) {
    super('stdio', parts, before)
    this.#start = start
    if (before === undefined) return
    this.#opening = before.opening
    this.parts.log.repeat(before.opening)
    for (const frame of before.opening)
      if (frame.kind === 'message' && frame.from === 'server') this.inbox.add(frame)
    this.#attach(before.process)
  }

  /** The process has to start first. */
  protected override get openingFactor(): number {
    return STARTING
  }

  /** The process; its pid, exit and signals. */
  get process(): ProcessHandle {
    if (this.#process === undefined) throw new Stopped('inconclusive', 'the process was not started')
    return this.#process
  }

  /** What the process wrote to stderr, up to 1 MiB. */
  get stderr(): string {
    return this.#stderr
  }

  async open(): Promise<void> {
    const starting = this.#start()
    this.#starting = starting
    let child: ProcessHandle
    try {
      child = await starting
    } catch (error) {
      throw new Stopped('inconclusive', `the server could not be started: ${messageOf(error)}`)
    }
    if (!this.#isInputOpen) throw new Stopped('inconclusive', 'the connection was closed while it was opened')
    this.#life('opened', `process ${child.pid ?? ''} started`)
    child.stdin.on('error', () => undefined)
    this.#attach(child)
  }

  #attach(child: ProcessHandle): void {
    this.#process = child
    child.stdout.on('data', this.#onOutput)
    child.stderr.on('data', this.#onErrors)
    child.stdout.resume()
    child.stderr.resume()
    void child.exited.then(async (exit) => {
      if (this.#process !== child) return
      this.exit = exit
      // What it wrote last is read first.
      const outputEnded = new Promise((resolve) => {
        if (child.stdout.closed) resolve(undefined)
        else child.stdout.once('close', resolve)
      })
      await Promise.race([outputEnded, turn()])
      this.#flush()
      const note = `the process ended (${exit.signal ?? `exit code ${exit.code ?? ''}`})`
      this.#life('closed', note)
      this.ended(note)
    })
  }

  /** Marks the end of the handshake: from here on `use` counts. */
  begin(): void {
    this.#opening = this.parts.log.frames.filter(({ connection }) => connection === this.captured)
    this.#sent.length = 0
  }

  /** What went over it since the handshake; undefined if it cannot go on. */
  get use(): Pick<ConnectionUse, 'sent' | 'received' | 'lastId'> | undefined {
    const isWhole = this.#pending.length === 0 && this.inbox.frames.every(({ kind }) => kind === 'message')
    if (!isWhole || !this.#isInputOpen || this.closedReason !== undefined) return undefined
    const opening = new Set(this.#opening)
    const received = this.inbox.messages
      .filter(({ frame }) => !opening.has(frame))
      .map(({ message }) => message)
    return { sent: this.#sent, received, lastId: this.lastId }
  }

  /** Detaches the process with its session, for another check. This connection has ended then. */
  release(): IdleConnection {
    const { process, captured, initialized, lastId } = this
    process.stdout.off('data', this.#onOutput)
    process.stderr.off('data', this.#onErrors)
    process.stdout.pause()
    this.#process = undefined
    this.#starting = undefined
    this.ended('given back by the check')
    // The error stream flows on: a server that fills it would stop.
    process.stderr.resume()
    return { process, captured, initialized, lastId, opening: this.#opening }
  }

  /** Ends the server's standard input, as a client does that shuts down. */
  endInput(): void {
    this.#isInputOpen = false
    this.process.stdin.end()
  }

  async close(): Promise<void> {
    if (this.#isInputOpen) this.#process?.stdin.end()
    this.#isInputOpen = false
    await this.#process?.dispose()
    // A process that is being started belongs to nobody else.
    if (this.#process === undefined) await (await this.#starting?.catch(() => undefined))?.dispose()
  }

  protected async write(bytes: Uint8Array, message: unknown, options: SendOptions): Promise<Sent> {
    const frame = this.parts.log.record(this.captured, sentFrame(bytes, message))
    this.#sent.push(message)
    const line = Buffer.concat([bytes, Buffer.from(options.lineEnd ?? '\n')])
    const cuts = [0, ...(options.splitAt ?? []), line.length]
    for (let index = 1; index < cuts.length; index += 1) {
      if (this.closedReason !== undefined) break
      const piece = line.subarray(cuts[index - 1], cuts[index])
      await new Promise<void>((resolve) => {
        this.process.stdin.write(piece, () => {
          resolve()
        })
      })
      // So that the reader sees the pieces apart; many are written one by one.
      if (index + 1 < cuts.length) await (cuts.length > 50 ? turn() : elapsed(20))
    }
    return { frame }
  }

  #read(bytes: Buffer): void {
    let rest = bytes
    for (let at = rest.indexOf(LINE_FEED); at !== -1; at = rest.indexOf(LINE_FEED)) {
      this.#pending.push(rest.subarray(0, at))
      rest = rest.subarray(at + 1)
      this.#flush()
    }
    if (rest.length > 0) this.#pending.push(rest)
    if (this.#pending.reduce((sum, piece) => sum + piece.length, 0) > MAX_LINE) this.#flush()
  }

  #flush(): void {
    if (this.#pending.length === 0) return
    const raw = Buffer.concat(this.#pending)
    this.#pending = []
    const line = raw.at(-1) === 0x0d ? raw.subarray(0, -1) : raw
    if (line.length === 0) return
    const parsed = parsedOf(line)
    const frame = this.parts.log.record(this.captured, {
      from: 'server',
      bytes: line,
      ...(parsed.ok
        ? { kind: 'message', value: parsed.value }
        : { kind: 'invalid', reason: 'a line that is not JSON' }),
    })
    this.inbox.add(frame)
  }

  #life(event: 'opened' | 'closed', note: string): void {
    this.parts.log.record(this.captured, {
      kind: 'lifecycle',
      from: 'server',
      bytes: Buffer.alloc(0),
      reason: `${event}: ${note}`,
    })
  }
}

/** The frame of bytes that the probe sends. */
export function sentFrame(bytes: Uint8Array, message: unknown) {
  const parsed = message === undefined ? parsedOf(bytes) : { ok: true as const, value: message }
  return parsed.ok
    ? ({ kind: 'message', from: 'client', bytes, value: parsed.value } as const)
    : ({ kind: 'invalid', from: 'client', bytes, reason: 'sent as it is' } as const)
}
