import { countText } from '../../protocol/count-text.ts'
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { ChildSupervisor } from '../../processes/child-supervisor.ts'
import { GRACE_MS } from '../../processes/end-tree.ts'
import { TurnBudget } from '../../processes/turn-budget.ts'
import type { ProcessRegistry } from '../../processes/process-registry.ts'
import { durationText } from '../../protocol/duration-text.ts'
import { limitsOf, type Limits } from '../../protocol/limits.ts'
import type { JsonRpcMessage } from '../../protocol/messages.ts'
import { parseMessage } from '../../protocol/parse.ts'
import { ByteTail } from './byte-tail.ts'
import { childEnvironment } from './child-environment.ts'
import {
  TransportError,
  type ClientReceiver,
  type ClientTransport,
  type RawOptions,
  type RawOutcome,
  type TransportErrorCode,
  type TransportEvidence,
} from '../../ports/contract.ts'
import { tooLong } from '../../ports/encode-message.ts'
import { LineSplitter } from './line-splitter.ts'
import { StrayOutputGauge } from './stray-output-gauge.ts'
import { PacedWriter } from './paced-writer.ts'
import { relativePathsIn } from './relative-paths.ts'
import { rawFrame } from '../../ports/raw-frame.ts'
import { foreignProgram, spawnFailure } from './spawn-failure.ts'
import { NO_TAP, type Tap } from '../../ports/tap.ts'
import { windowsProgram, type WindowsFiles } from './windows-program.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type StdioOptions = {
  /** A program in PATH, or a path. Started without a shell, so nothing in it is interpreted. */
  readonly command: string
  readonly args: readonly string[]
  /** Variables on top of the few that are inherited (see `inheritedVariableNames`). */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly tap?: Tap
  /** Default for those that are missing; `RangeError` for an invalid one. */
  readonly limits?: Partial<Limits>
  /** Milliseconds before each harder step of ending the process; 800 unless told. */
  readonly graceMs?: number
  /** Keeps which processes live, so that what outlives a killed host can be ended at the next start. */
  readonly processes?: ProcessRegistry
}

/** How long a process that closed a pipe may take to exit, so that its exit code can be reported as the cause. */
const SETTLE_MS = 250
/** And as long as it takes to read what it wrote before, up to this. */
const LONGEST_SETTLE_MS = 5_000
const FILES: WindowsFiles = {
  isFile: (file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true,
  read: (file) => readFileSync(file, 'utf8'),
}
const LINE_FEED = Buffer.of(0x0a)
const NO_BYTES = new Uint8Array()

/**
 * A server as a child process that speaks one message a line over stdin and stdout (transports: stdio). The
 * process gets a group of its own; it ends with all that it started when it is closed, and when this process ends or is
 * killed.
 */
export function stdioTransport(options: StdioOptions): ClientTransport {
  return new StdioClient(options)
}

class StdioClient implements ClientTransport {
  readonly kind = 'stdio'
  readonly #options: StdioOptions
  readonly #limits: Limits
  readonly #tap: Tap
  readonly #stderr: ByteTail
  readonly #strayOutput = new StrayOutputGauge()
  readonly #exited = Promise.withResolvers<void>()
  /** Resolves with the cause of the connection's end. */
  readonly #over = Promise.withResolvers<TransportError>()
  #supervisor: ChildSupervisor | undefined
  #child: ChildProcessWithoutNullStreams | undefined
  #writer: PacedWriter | undefined
  #receiver: ClientReceiver | undefined
  #startedAt = 0
  /** Chunks of stdout that were read. */
  #reads = 0
  #exit:
    { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly at: number } | undefined
  #end: TransportError | undefined
  #ending: Promise<void> | undefined
  #closing = false
  /** A message came. */
  #hasSpoken = false
  #madeFor: string | undefined

  constructor(options: StdioOptions) {
    this.#options = options
    this.#limits = limitsOf(options.limits)
    this.#tap = options.tap ?? NO_TAP
    this.#stderr = new ByteTail(this.#limits.stderrTailBytes)
  }

  async start(receiver: ClientReceiver): Promise<void> {
    if (this.#child !== undefined || this.#closing) {
      throw new TransportError('closed', 'a transport is used for one connection only; make a new one')
    }
    this.#receiver = receiver
    this.#startedAt = performance.now()
    const child = await this.#spawn()
    this.#tap.record({
      kind: 'lifecycle',
      direction: 'sent',
      bytes: NO_BYTES,
      event: 'opened',
      note: `process ${child.pid} started`,
    })
    this.#listen(child)
    if (this.#isClosing()) await this.close()
  }

  send(message: JsonRpcMessage): Promise<void> {
    try {
      const writer = this.#open()
      const line = Buffer.from(`${JSON.stringify(message)}\n`)
      const length = line.length - LINE_FEED.length
      if (length > this.#limits.messageBytes) throw tooLong(length, this.#limits.messageBytes)
      const bytes = line.subarray(0, length)
      this.#tap.record({ kind: 'message', direction: 'sent', bytes, parsed: message })
      return this.#write(writer, line)
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async sendRaw(bytes: Uint8Array, { lineFeed = true }: RawOptions = {}): Promise<RawOutcome> {
    const writer = this.#open()
    this.#tap.record(rawFrame(bytes, this.#limits))
    await this.#write(writer, Buffer.concat(lineFeed ? [bytes, LINE_FEED] : [bytes]))
    return {}
  }

  async close(): Promise<void> {
    this.#closing = true
    if (this.#child === undefined) return
    await this.#terminate()
    this.#finish('closed', 'the connection was closed')
  }

  evidence(): TransportEvidence {
    const stderr = this.#stderr.toString()
    const { first } = this.#strayOutput
    const { command, args, cwd } = this.#options
    const relativePaths = relativePathsIn(args)
    return {
      command: [command, ...args].join(' '),
      program: command,
      ...(cwd === undefined ? {} : { folder: cwd }),
      ...(relativePaths.length === 0 ? {} : { relativePaths }),
      ...(this.#madeFor === undefined ? {} : { madeFor: this.#madeFor }),
      ...(this.#child?.pid === undefined ? {} : { pid: this.#child.pid }),
      ...(this.#exit === undefined ? {} : { afterMs: Math.round(this.#exit.at - this.#startedAt) }),
      ...(this.#exit?.code == null ? {} : { exitCode: this.#exit.code }),
      ...(this.#exit?.signal == null ? {} : { signal: this.#exit.signal }),
      ...(stderr === '' ? {} : { stderr }),
      ...(first === undefined ? {} : { strayOutput: first }),
    }
  }

  #open(): PacedWriter {
    if (this.#end !== undefined) throw this.#end
    if (this.#writer === undefined || this.#closing)
      throw new TransportError('closed', 'the connection is not open', this.evidence())
    return this.#writer
  }

  #write(writer: PacedWriter, bytes: Buffer): Promise<void> {
    const written = writer.write(bytes)
    // If its stdin broke, that ends the connection; the cause is known in a moment.
    return writer.hasBacklog ? written.catch(async () => Promise.reject(await this.#over.promise)) : written
  }

  // Both change while a caller waits, which the compiler does not see.
  #isClosing(): boolean {
    return this.#closing
  }

  /** What is started: the command as it is, on Windows the program that it means. */
  #program(env: Readonly<Record<string, string>>): {
    readonly file: string
    readonly args: readonly string[]
  } {
    const { command, args, cwd = process.cwd() } = this.#options
    if (process.platform !== 'win32') return { file: command, args }
    const program = windowsProgram({ command, args, env, cwd }, FILES)
    if (program?.ok === false) throw new Error(program.reason)
    return program ?? { file: command, args }
  }

  async #spawn(): Promise<ChildProcessWithoutNullStreams> {
    const { command, cwd } = this.#options
    const supervisor = new ChildSupervisor(this.#options.processes)
    const env = { ...childEnvironment(this.#options.env), ...supervisor.environment }
    try {
      const program = this.#program(env)
      const child = spawn(program.file, program.args, {
        env,
        ...(cwd === undefined ? {} : { cwd }),
        shell: false,
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      // An `error` event before `spawn` rejects here; a process that has already ended has emitted `spawn` too.
      await once(child, 'spawn')
      this.#child = child
      this.#supervisor = supervisor
      supervisor.started(child, command)
      return child
    } catch (cause) {
      void supervisor.notStarted()
      const error = spawnFailure({ command, env, ...(cwd === undefined ? {} : { cwd }) }, cause)
      this.#end = error
      this.#over.resolve(error)
      this.#tap.record({
        kind: 'lifecycle',
        direction: 'received',
        bytes: NO_BYTES,
        event: 'closed',
        note: error.message,
      })
      throw error
    }
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    const lines = new LineSplitter(this.#limits.messageBytes, (line) => this.#line(line))
    const turns = new TurnBudget(child.stdout)
    child.stdout.on('data', (chunk: Buffer) => {
      this.#reads += 1
      if (this.#end !== undefined) return
      try {
        turns.spend(() => {
          lines.push(chunk)
        })
      } catch (error) {
        this.#finish('limit', messageOf(error))
      }
    })
    child.stdout.on('end', () => {
      if (this.#end === undefined) lines.end()
      this.#pipeClosed('its stdout')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr.push(chunk)
      this.#tap.record({ kind: 'stderr', direction: 'received', bytes: chunk })
    })
    // A broken pipe on stdin means that the server does not read any more: a close, not a crash.
    child.stdin.on('error', () => this.#pipeClosed('its stdin'))
    for (const stream of [child.stdout, child.stderr]) stream.on('error', () => undefined)
    child.on('error', () => undefined)
    child.once('exit', (code, signal) => this.#onExit(child, code, signal))
    this.#writer = new PacedWriter(child.stdin, {
      maxBytes: this.#limits.outgoingBufferBytes,
      stallMs: this.#limits.outgoingStallMs,
      onStalled: (waiting) => {
        this.#finish(
          'stalled',
          `the server did not read its stdin for too long; ${countText(waiting)} bytes were waiting for it`,
        )
      },
    })
  }

  #line(line: Buffer): void {
    if (line.length === 0 || this.#end !== undefined) return
    const parsed = parseMessage(line, this.#limits)
    if (parsed.ok) {
      this.#tap.record({ kind: 'message', direction: 'received', bytes: line, parsed: parsed.value })
      if (typeof parsed.value === 'object' && parsed.value !== null) {
        this.#hasSpoken = true
        this.#strayOutput.message()
      } else if (this.#strayOutput.stray(line)) {
        this.#flooded()
        return
      }
      this.#receiver?.message({ value: parsed.value, bytes: line })
      return
    }
    const reason = parsed.error.message
    this.#tap.record({ kind: 'invalid', direction: 'received', bytes: line, reason })
    if (this.#strayOutput.stray(line)) this.#flooded()
    else this.#receiver?.invalid(line, reason)
  }

  #flooded(): void {
    this.#finish(
      'not-mcp',
      'the server floods its stdout with text that is not an MCP message; a server prints messages there and everything else on stderr',
    )
  }

  #onExit(child: ChildProcessWithoutNullStreams, code: number | null, signal: NodeJS.Signals | null): void {
    const at = performance.now()
    this.#exit = { code, signal, at }
    this.#exited.resolve()
    const report = (): void => {
      clearTimeout(timer)
      clearImmediate(lastTurn)
      if (this.#closing) return
      const how = signal === null ? `exited with code ${code}` : `was killed by ${signal}`
      const after = durationText(at - this.#startedAt)
      if (code !== 0 && !this.#hasSpoken) this.#madeFor = this.#foreign()
      this.#finish('process-exited', `the server process ${how} after ${after}`)
    }
    // What it wrote last may still be in the pipes; a child it left behind may hold them open for ever.
    // Timers come before what the pipes hold: after a long stall nothing has been read from them yet.
    let lastTurn: NodeJS.Immediate | undefined
    const afterReads = (): void => {
      const before = this.#reads
      lastTurn = setImmediate(() => {
        if (this.#reads === before || performance.now() - at > LONGEST_SETTLE_MS) report()
        else afterReads()
      })
    }
    const timer = setTimeout(afterReads, SETTLE_MS)
    child.once('close', report)
  }

  /** Asked only when it failed, and never said a thing. */
  #foreign(): string | undefined {
    const { command, cwd, env } = this.#options
    return foreignProgram({ command, env: childEnvironment(env), ...(cwd === undefined ? {} : { cwd }) })
  }

  #pipeClosed(which: string): void {
    setTimeout(() => {
      if (this.#exit === undefined && !this.#closing) {
        this.#finish(
          'pipe-closed',
          `the server closed ${which} but its process lives on; no message can pass any more`,
        )
      }
    }, SETTLE_MS)
  }

  /** Reports the end once, whatever the reason, and sees to it that no process is left. */
  #finish(code: TransportErrorCode, message: string): void {
    if (this.#end !== undefined) return
    const error = new TransportError(code, message, this.evidence())
    this.#end = error
    this.#over.resolve(error)
    this.#writer?.stop(error)
    this.#tap.record({
      kind: 'lifecycle',
      direction: code === 'closed' ? 'sent' : 'received',
      bytes: NO_BYTES,
      event: 'closed',
      note: message,
    })
    // Nobody reads what a flooding server still prints: without a reader it ends by itself.
    if (code === 'not-mcp' || code === 'limit') this.#child?.stdout.destroy()
    this.#receiver?.closed(error)
    void this.#terminate()
  }

  #terminate(): Promise<void> {
    const child = this.#child
    if (child === undefined) return Promise.resolve()
    this.#ending ??= this.#endChild(child)
    return this.#ending
  }

  async #endChild(child: ChildProcessWithoutNullStreams): Promise<void> {
    await this.#supervisor?.end(child, this.#exited.promise, this.#options.graceMs ?? GRACE_MS)
    // After the end nobody reads the pipes; destroying them frees what a surviving child would hold open.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  }
}
