import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { ChildSupervisor } from '../../processes/child-supervisor.ts'
import type { ProcessRegistry } from '../../processes/process-registry.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { cleanEnvironment } from '../../scripts/clean-environment.ts'
import { HostError } from '../host-error.ts'
import { framed, MessageFrames } from './message-frames.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Milliseconds before each harder step of ending it. */
const GRACE_MS = 300
/** Characters of its stderr that are reported when it ends by itself. */
const LAST_WORDS = 2_000

export type LanguageServerOptions = {
  /** Absolute path of the program. */
  readonly program: string
  readonly folder: string
  readonly processes?: ProcessRegistry | undefined
  readonly onMessages: (messages: readonly string[]) => void
}

/** TypeScript's language server as a process of its own. It ends with this process, also when that is killed. */
export class LanguageServer {
  readonly pid: number
  /** Resolves with how it ended, as a clause ("exited with code 3"). */
  readonly ended: Promise<string>
  readonly #child: ChildProcessWithoutNullStreams
  readonly #supervisor: ChildSupervisor
  readonly #exited: Promise<unknown>
  #ending: Promise<void> | undefined

  private constructor(
    child: ChildProcessWithoutNullStreams,
    supervisor: ChildSupervisor,
    { onMessages }: LanguageServerOptions,
  ) {
    this.#child = child
    this.#supervisor = supervisor
    this.pid = child.pid ?? 0
    this.#exited = once(child, 'exit')
    const frames = new MessageFrames(DEFAULT_LIMITS.messageBytes)
    let words = ''
    let fault: string | undefined
    child.stderr.on('data', (bytes: Buffer) => (words = (words + bytes.toString()).slice(-LAST_WORDS)))
    child.stdout.on('data', (bytes: Buffer) => {
      if (fault !== undefined) return
      try {
        const messages = frames.push(bytes)
        if (messages.length > 0) onMessages(messages)
      } catch (error) {
        fault = messageOf(error)
        void this.end()
      }
    })
    // Writing to an ended process is not an error of its own: its end is reported anyway.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined)
    child.on('error', () => undefined)
    this.ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => {
      // Nothing is left of it, but what waits for its end does.
      void this.end()
      if (fault !== undefined) return fault
      const how = signal === null ? `exited with code ${code}` : `was killed by ${signal}`
      return words.trim() === '' ? how : `${how}: ${words.trim()}`
    })
  }

  /** Starts one. @throws HostError if the system cannot */
  static async start(options: LanguageServerOptions): Promise<LanguageServer> {
    const { program, folder, processes } = options
    const supervisor = new ChildSupervisor(processes)
    try {
      const child = spawn(program, ['--lsp', '--stdio'], {
        cwd: folder,
        env: { ...cleanEnvironment(), ...supervisor.environment },
        shell: false,
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      await once(child, 'spawn')
      supervisor.started(child, program)
      return new LanguageServer(child, supervisor, options)
    } catch (cause) {
      void supervisor.notStarted()
      const reason = messageOf(cause)
      throw new HostError(
        'NO_LANGUAGE_SERVER',
        `TypeScript's language server could not be started: ${reason}.`,
        {
          cause,
        },
      )
    }
  }

  send(message: string): void {
    this.#child.stdin.write(framed(message))
  }

  /** Ends it, and resolves when nothing is left of it. Never rejects. */
  end(): Promise<void> {
    this.#ending ??= this.#supervisor.end(this.#child, this.#exited, GRACE_MS)
    return this.#ending
  }
}
