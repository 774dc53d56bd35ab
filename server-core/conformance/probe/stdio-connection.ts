import { setImmediate as turn } from 'node:timers/promises'
import { Stopped } from '../examination.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { parsedOf } from '../frames/parsed-value.ts'
import { ProbeConnection, type ConnectionParts, type SendOptions, type Sent } from './connection.ts'
import type { ProcessExit, ProcessHandle, StartProcess } from './process-handle.ts'

const LINE_FEED = 0x0a
/** Most bytes of stderr that are kept. */
const MAX_STDERR = 1024 * 1024
const MAX_LINE = 64 * 1024 * 1024

/** A server process over its pipes. */
export class StdioConnection extends ProbeConnection {
  readonly transport = 'stdio'
  /** How the process ended, once it has. */
  exit: ProcessExit | undefined
  readonly #start: StartProcess
  #process: ProcessHandle | undefined
  #pending: Buffer[] = []
  #stderr = ''
  #isInputOpen = true

  constructor(parts: ConnectionParts, start: StartProcess) {
    super('stdio', parts)
    this.#start = start
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
    let child: ProcessHandle
    try {
      child = await this.#start()
    } catch (error) {
      throw new Stopped('inconclusive', `the server could not be started: ${messageOf(error)}`)
    }
    this.#process = child
    this.#life('opened', `process ${child.pid ?? ''} started`)
    child.stdin.on('error', () => undefined)
    child.stdout.on('data', (bytes: Buffer) => {
      this.#read(bytes)
    })
    child.stderr.on('data', (bytes: Buffer) => {
      if (this.#stderr.length < MAX_STDERR) this.#stderr += bytes.toString()
      this.parts.log.record(this.captured, { kind: 'stderr', from: 'server', bytes })
    })
    const outputEnded = new Promise<void>((resolve) => child.stdout.once('close', resolve))
    void child.exited.then(async (exit) => {
      this.exit = exit
      // What it wrote last is read first.
      await Promise.race([outputEnded, turn()])
      this.#flush()
      const note = `the process ended (${exit.signal ?? `exit code ${exit.code ?? ''}`})`
      this.#life('closed', note)
      this.ended(note)
    })
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
  }

  protected async write(bytes: Uint8Array, message: unknown, options: SendOptions): Promise<Sent> {
    const frame = this.parts.log.record(this.captured, sentFrame(bytes, message))
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
      // So that the reader sees the pieces apart.
      if (index + 1 < cuts.length)
        await new Promise((resolve) => setTimeout(resolve, cuts.length > 50 ? 1 : 20))
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
