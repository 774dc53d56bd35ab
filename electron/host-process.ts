import path from 'node:path'
import { utilityProcess, type UtilityProcess } from 'electron'
import { parseHostToShell } from '../server-core/host/shell-message-parsers.ts'
import { hostFlags } from '../server-core/processes/host-memory.ts'
import type { HostToShell, ShellStart, ShellToHost } from '../server-core/host/shell-messages.ts'
import { answerCipher } from './cipher.ts'
import { ProcessRelay } from './process-relay.ts'

/** Milliseconds the host gets to close connections and end its children. */
const STOP_PATIENCE_MS = 6_000
/** What pages may say before the host is up; a page says a handful. */
const WAITING_MESSAGES = 1_000

export type HostEvents = {
  window(windowId: number, data: string | Uint8Array): void
  activate(): void
  failed(message: string): void
  /** It ended without being asked. */
  gone(exitCode: number): void
}

/** The host in its utility process: started once, contacted by messages, stopped with patience. */
export class HostProcess {
  readonly #child: UtilityProcess
  readonly #relay: ProcessRelay
  readonly #exited: Promise<number>
  readonly #waiting: ShellToHost[] = []
  #ready = false
  #stopping = false

  constructor(start: ShellStart, events: HostEvents) {
    const entry = path.join(start.distFolder, 'host', 'desktop-entry.js')
    const child = utilityProcess.fork(entry, [], {
      serviceName: 'patchbay-host',
      stdio: 'inherit',
      execArgv: [...hostFlags(process.env)],
    })
    this.#child = child
    this.#relay = new ProcessRelay(
      (message) => this.#send(message),
      (wanted) => path.resolve(wanted).startsWith(path.resolve(start.distFolder) + path.sep),
    )
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code) => {
        this.#relay.killAll()
        resolve(code)
        if (!this.#stopping) events.gone(code)
      })
    })
    child.on('message', (value: unknown) => {
      const message = parseHostToShell(value)
      if (message === undefined) console.error('Refused an invalid message of the host')
      else this.#receive(message, events)
    })
    this.#send({ type: 'start', options: start })
  }

  /** Passes on what a window's page posted or a later start asked for; what comes before the host is up waits. */
  send(message: Extract<ShellToHost, { type: 'window' | 'window-closed' | 'open-workspace' }>): void {
    if (this.#ready) this.#send(message)
    else if (this.#waiting.length < WAITING_MESSAGES) this.#waiting.push(message)
    else console.error('Refused a message of the page: the host is not up yet and too many wait')
  }

  /** Asks it to close everything and waits until it has ended; after a while ends it. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#send({ type: 'stop' })
    const patience = setTimeout(() => this.#child.kill(), STOP_PATIENCE_MS)
    await this.#exited
    clearTimeout(patience)
  }

  #send(message: ShellToHost): void {
    this.#child.postMessage(message)
  }

  #receive(message: HostToShell, events: HostEvents): void {
    switch (message.type) {
      case 'ready':
        this.#ready = true
        for (const waiting of this.#waiting.splice(0)) this.#send(waiting)
        return
      case 'failed':
        events.failed(message.message)
        return
      case 'window':
        events.window(message.windowId, message.data)
        return
      case 'activate':
        events.activate()
        return
      case 'process-start':
      case 'process-post':
      case 'process-kill':
        this.#relay.handle(message)
        return
      case 'cipher-encrypt':
      case 'cipher-decrypt':
        void answerCipher(message).then((answer) => this.#send(answer))
    }
  }
}
