import type { ProcessExit, ProcessStarter, StartedProcess } from '../processes/process-starter.ts'
import { handlerErrorText } from '../registry/handler-errors.ts'
import type { FromProcess, Measured, ToProcess, WorkerStart } from './channel.ts'
import { parseFromProcess } from './channel-parsers.ts'
import { cleanEnvironment } from './clean-environment.ts'
import type { ScriptEntries } from './entries.ts'
import { OutputLines } from './output-lines.ts'
import { ScriptError } from './script-error.ts'
import { WorkerLink } from './worker-link.ts'

export type ProcessParts = {
  readonly starter: ProcessStarter
  readonly entries: ScriptEntries
  /** Absolute. */
  readonly folder: string
  /** Bytes per second of what is printed past the Workers. */
  readonly outputBytes: number
  /** Milliseconds that a Worker may take to end before the process is killed. */
  readonly graceMs: number
  readonly onStray: (line: { readonly stream: 'stdout' | 'stderr'; readonly text: string }) => void
}

/** Its own heap is small: what scripts hold is in Workers, whose heaps have limits of their own. */
const HEAP_LIMIT = '--max-old-space-size=512'
const START_MS = 10_000
const MEASURE_MS = 1_000

/** A process that runs scripts, seen from the host. */
export class RunningProcess {
  readonly pid: number
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
  /** Resolves when it has ended, and all that its scripts started. */
  readonly gone: Promise<void>
  readonly #started: StartedProcess
  readonly #graceMs: number
  readonly #links = new Map<number, WorkerLink>()
  readonly #measures = new Map<number, (workers: readonly Measured[]) => void>()
  readonly #ready = Promise.withResolvers<void>()
  #count = 0
  #condemned: { readonly link: WorkerLink; readonly reason: string } | undefined
  /** What came over the channel that none of our code sends, as a clause. */
  #fault: string | undefined
  #isGone = false
  /** Called when a Worker of it ended. */
  onWorkerEnded: (() => void) | undefined

  /** Starts a process. Rejects with a `ScriptError` if that cannot be. */
  static async start(parts: ProcessParts): Promise<RunningProcess> {
    const { starter, entries, folder } = parts
    const started = await starter
      .start({
        entry: entries.process,
        args: [],
        execArgv: [HEAP_LIMIT],
        env: cleanEnvironment(),
        name: 'patchbay tool host',
      })
      .catch((cause: unknown) => {
        throw new ScriptError('unavailable', `No process can be started for scripts: ${String(cause)}`, {
          cause,
        })
      })
    const process = new RunningProcess(started, parts)
    process.#post({ type: 'setup', folder, workerEntry: entries.worker, graceMs: parts.graceMs })
    const late = setTimeout(() => {
      process.kill()
    }, START_MS)
    await process.#ready.promise.finally(() => {
      clearTimeout(late)
    })
    return process
  }

  private constructor(started: StartedProcess, { onStray, outputBytes, graceMs }: ProcessParts) {
    this.#graceMs = graceMs
    this.#started = started
    this.pid = started.pid
    const lines = new OutputLines(outputBytes, onStray)
    // Read even if nobody listens: a pipe that is full would block the process.
    started.onOutput((stream, bytes) => {
      lines.take(stream, bytes)
    })
    started.onMessage((message) => {
      this.#take(message)
    })
    this.ended = started.exited.then((exit) => {
      lines.flush()
      if (exit.fault !== undefined) this.#fault ??= exit.fault
      this.#over(howEnded(exit))
    })
    this.gone = Promise.all([this.ended, started.gone]).then(() => undefined)
  }

  get isGone(): boolean {
    return this.#isGone
  }
  get workers(): number {
    return this.#links.size
  }

  /** Whether a Worker runs in it. */
  has(link: WorkerLink): boolean {
    return this.#links.get(link.worker) === link
  }

  /** Starts a Worker; `file` says whose code runs in it. */
  open(file: () => string, start: WorkerStart): WorkerLink {
    const worker = (this.#count += 1)
    const link = new WorkerLink({
      worker,
      file,
      graceMs: this.#graceMs,
      send: (message) => {
        this.#post({ type: 'tell', worker, message })
      },
      end: () => {
        this.#post({ type: 'end', worker })
      },
      killProcess: (reason) => {
        this.#condemn(link, reason)
      },
    })
    if (this.#isGone) {
      link.overWithProcess('has no process any more', 'another')
      return link
    }
    this.#links.set(worker, link)
    this.#post({ type: 'open', worker, start })
    return link
  }

  /** What its Workers hold, in bytes. Gives nothing if it does not say so in a second. */
  async measure(): Promise<readonly Measured[]> {
    const id = (this.#count += 1)
    const measured = new Promise<readonly Measured[]>((resolve) => {
      this.#measures.set(id, resolve)
      setTimeout(() => {
        resolve([])
      }, MEASURE_MS).unref()
    })
    this.#post({ type: 'measure', id })
    return measured.finally(() => this.#measures.delete(id))
  }

  /** Ends it at once. */
  kill(): void {
    this.#started.kill()
  }

  #post(message: ToProcess): void {
    if (!this.#isGone) this.#started.post(message)
  }

  #condemn(link: WorkerLink, reason: string): void {
    if (link.isOver) return
    this.#condemned ??= { link, reason }
    this.kill()
  }

  /** Scripts can write to the channel of their process, so that anything may come. */
  #take(value: unknown): void {
    const message = parseFromProcess(value)
    try {
      if (message === undefined) this.#breach('sent an invalid message')
      else this.#receive(message)
    } catch (error) {
      this.#breach(`sent a message that cannot be used: ${handlerErrorText(error)}`)
    }
  }

  /** Nobody can tell which of the scripts it was, so that the process ends with all of them. */
  #breach(fault: string): void {
    this.#fault ??= fault
    this.kill()
  }

  #receive(message: FromProcess): void {
    switch (message.type) {
      case 'ready':
        this.#ready.resolve()
        return
      case 'said':
        this.#links.get(message.worker)?.receive(message.message)
        return
      case 'news':
        this.#links.get(message.worker)?.receiveNews(message.news)
        return
      case 'ended':
        this.#links.get(message.worker)?.over(message.end)
        this.#links.delete(message.worker)
        this.onWorkerEnded?.()
        return
      case 'measured':
        this.#measures.get(message.id)?.(message.workers)
        return
      case 'stuck': {
        const link = this.#links.get(message.worker)
        if (link !== undefined) this.#condemn(link, message.reason)
      }
    }
  }

  #over(how: string): void {
    this.#isGone = true
    this.#ready.reject(new ScriptError('unavailable', `The process that should run scripts ${how}.`))
    const links = [...this.#links.values()]
    this.#links.clear()
    const condemned = this.#condemned
    const fault = condemned === undefined ? this.#fault : undefined
    // Also one without a call can write to the channel.
    const suspects =
      condemned !== undefined ? [condemned.link] : fault === undefined ? suspectsOf(links) : links
    const [culprit] = suspects
    const what = fault === undefined ? how : `was ended, because something in it ${fault}`
    const because = condemned?.reason ?? `ended the process that runs scripts, which ${what}`
    for (const link of links) {
      if (suspects.length === 1 && culprit !== undefined) {
        if (link === culprit) link.overWithProcess(because, 'itself')
        else link.overWithProcess(`was ended with its process: ${culprit.file} ${because}`, 'another')
      } else if (suspects.includes(link)) {
        const names = suspects.map(({ file }) => file).join(', ')
        link.overWithProcess(`was ended with its process, which ${what} while these ran: ${names}`, 'perhaps')
      } else link.overWithProcess(`was ended with its process, which ${what}`, 'another')
    }
  }
}

function howEnded({ code, signal }: ProcessExit): string {
  if (signal !== null) return `was killed by ${signal}`
  return code === null ? 'ended' : `exited with code ${code}`
}

/** Whose code ran when the process crashed. */
function suspectsOf(links: readonly WorkerLink[]): readonly WorkerLink[] {
  const running = links.filter(({ callsInFlight }) => callsInFlight > 0)
  return running.length > 0 ? running : links.length === 1 ? links : []
}
