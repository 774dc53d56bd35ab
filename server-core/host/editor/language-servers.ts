import { randomUUID } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import type { ProcessRegistry } from '../../processes/process-registry.ts'
import type { LanguageServerEvent } from '../contract/editor.ts'
import { HostError } from '../host-error.ts'
import type { FolderWatch } from './folder-watch.ts'
import { LanguageServer } from './language-server.ts'
import { changedOnDisk, passOn } from './language-session.ts'
import { PageQueue } from './page-queue.ts'
import { typescriptProgram } from './typescript-program.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Pages that have one at the same time. */
const MOST = 4
/** Milliseconds without a message from the page. */
const IDLE_MS = 600_000
/** So many crashes within this time, and it is not started again by itself. */
const CRASHES = 3
const CRASH_MS = 300_000

export type LanguageServersOptions = {
  readonly folder: string
  readonly watch: FolderWatch
  readonly processes?: ProcessRegistry | undefined
  /** Absolute path of the program; the installed one unless given. */
  readonly program?: string | undefined
  readonly idleMs?: number | undefined
}

type Session = {
  readonly server: LanguageServer
  readonly queue: PageQueue<LanguageServerEvent>
  readonly idle: NodeJS.Timeout
}

/**
 * The language servers of one workspace: one for each page that edits in it, which as a rule is one. A page gets it as a
 * stream and loses it by leaving the stream.
 */
export class LanguageServers {
  readonly #options: LanguageServersOptions
  readonly #sessions = new Map<string, Session>()
  #starting = 0
  #crashes: number[] = []

  constructor(options: LanguageServersOptions) {
    this.#options = options
  }

  /** Process ids of those that run. */
  get pids(): number[] {
    return Array.from(this.#sessions.values(), ({ server }) => server.pid)
  }

  /**
   * Starts one and gives what it says, until it ends or the signal aborts.
   *
   * @param restart starts it though it crashed too often
   * @throws HostError if it cannot be started, or if too many pages have one
   */
  async *attach(
    restart: boolean,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<LanguageServerEvent, void, void> {
    if (restart) this.#crashes = []
    if (this.#hasCrashedTooOften()) {
      yield { type: 'ended', reason: 'stopped', detail: stoppedWords }
      return
    }
    if (this.#sessions.size + this.#starting >= MOST) {
      throw new HostError(
        'NO_LANGUAGE_SERVER',
        `TypeScript's language server runs for ${MOST} windows already. Close one of them to have completion here.`,
      )
    }
    const queue = new PageQueue<LanguageServerEvent>()
    const id = randomUUID()
    this.#starting += 1
    const server = await this.#start(id, queue).finally(() => (this.#starting -= 1))
    const leave = await this.#options.watch.listen((changes) =>
      server.send(changedOnDisk(this.#options.folder, changes)),
    )
    queue.push({ type: 'started', session: id })
    try {
      for await (const events of queue.taken(signal)) yield* together(events)
    } finally {
      leave()
      this.#forget(id)
      await server.end()
    }
  }

  /** Forwards messages of a page; returns false if its language server has ended. */
  send(id: string, messages: readonly string[]): boolean {
    const session = this.#sessions.get(id)
    if (session === undefined) return false
    session.idle.refresh()
    for (const message of messages) session.server.send(message)
    return true
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    const sessions = [...this.#sessions]
    await Promise.all(
      sessions.map(([id, { server, queue }]) => {
        this.#forget(id)
        queue.end()
        return server.end()
      }),
    )
  }

  async #start(id: string, queue: PageQueue<LanguageServerEvent>): Promise<LanguageServer> {
    const { folder, processes, program = typescriptProgram(), idleMs = IDLE_MS } = this.#options
    const server = await LanguageServer.start({
      program,
      folder: await realpath(folder),
      processes,
      onMessages: (texts) => {
        const messages: string[] = []
        for (const text of texts) {
          const { toPage, reply } = passedOn(text)
          if (reply !== undefined) server.send(reply)
          if (toPage !== undefined) messages.push(toPage)
        }
        if (messages.length > 0) queue.push({ type: 'messages', messages })
      },
    })
    const over = (reason: 'idle' | 'crashed' | 'stopped', detail: string): void => {
      if (!this.#forget(id)) return
      queue.push({ type: 'ended', reason, detail })
      queue.end()
    }
    const idle = setTimeout(() => {
      over('idle', 'It was not used for a while.')
      void server.end()
    }, idleMs)
    this.#sessions.set(id, { server, queue, idle })
    void server.ended.then((how) => {
      if (!this.#sessions.has(id)) return
      this.#crashes = [...this.#crashes, performance.now()]
      if (this.#hasCrashedTooOften()) over('stopped', `${stoppedWords} The last time it ${how}.`)
      else over('crashed', `TypeScript's language server ${how}.`)
    })
    return server
  }

  #hasCrashedTooOften(): boolean {
    const since = performance.now() - CRASH_MS
    this.#crashes = this.#crashes.filter((at) => at > since)
    return this.#crashes.length > CRASHES
  }

  #forget(id: string): boolean {
    clearTimeout(this.#sessions.get(id)?.idle)
    return this.#sessions.delete(id)
  }
}

/** @throws Error with a clause that says what is wrong with the message */
function passedOn(text: string): ReturnType<typeof passOn> {
  try {
    return passOn(text)
  } catch (cause) {
    const reason = messageOf(cause)
    throw new Error(`sent a message that cannot be used: ${reason}`, { cause })
  }
}

const stoppedWords = `TypeScript's language server crashed ${CRASHES + 1} times in five minutes, so it is not started again by itself.`

/** Neighbouring messages become one event. */
function* together(events: readonly LanguageServerEvent[]): Generator<LanguageServerEvent, void, void> {
  let messages: string[] = []
  for (const event of events) {
    if (event.type === 'messages') messages.push(...event.messages)
    else {
      if (messages.length > 0) yield { type: 'messages', messages }
      messages = []
      yield event
    }
  }
  if (messages.length > 0) yield { type: 'messages', messages }
}
