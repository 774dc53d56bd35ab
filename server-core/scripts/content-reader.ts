import { isJsonObject } from '../protocol/json.ts'
import { SerialQueue } from '../protocol/serial-queue.ts'
import type {
  BundledScript,
  ReadOrder,
  ReadReply,
  ScriptContent,
  WorkerNews,
  WorkerStart,
} from './channel.ts'
import { parsePlace } from './channel-parsers.ts'
import { SCRIPT_ERROR_CODES, ScriptError, type ScriptErrorCode } from './script-error.ts'
import { parseContent } from './script-content.ts'
import type { LinkEnd, WorkerLink } from './worker-link.ts'

/** Scripts that one Worker reads before another takes its place: what it has loaded it keeps. */
const READS = 300
/** Scripts that it receives ahead, so that it need not wait for us between two of them. */
const AHEAD = 16

type Reading = {
  readonly link: WorkerLink
  /** Of the files to read, those without an answer, by their numbers. */
  readonly replies: Map<number, PromiseWithResolvers<ReadReply>>
  reads: number
  /** What it reads just now, or read last. */
  script: BundledScript
  onNews: ((news: WorkerNews) => void) | undefined
}

/** Where it reads: in the process that waits. */
export type ReadingPool = {
  spare(): Promise<{
    has(link: WorkerLink): boolean
    open(file: () => string, start: WorkerStart): WorkerLink
  }>
  isSpare(link: WorkerLink): boolean
}

export type ReadOptions = {
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly onNews: (news: WorkerNews) => void
  /** The script ended the process in which it was read. */
  readonly onCrash: (end: LinkEnd) => void
}

type Asked = {
  readonly script: BundledScript
  readonly options: ReadOptions
  readonly content: PromiseWithResolvers<ScriptContent>
}

type Outcome =
  | Extract<ReadReply, { type: 'content' | 'refused' }>
  | { readonly type: 'ended' | 'late'; readonly end: LinkEnd }

/**
 * Reads what scripts serve: loads them, one after the other, in a Worker of the spare process, so that nothing a script
 * does at its top disturbs a call. The Worker ends after a while without work.
 */
export class ContentReader {
  readonly #pool: ReadingPool
  readonly #start: Omit<WorkerStart, 'job'>
  readonly #idleMs: number
  #reading: Reading | undefined
  #waiting: Asked[] = []
  /** What ended may have been ended by the next that waits: that one is read with nothing beside it. */
  #isAlone = false
  readonly #queue = new SerialQueue()
  #count = 0
  #idle: NodeJS.Timeout | undefined

  constructor(pool: ReadingPool, start: Omit<WorkerStart, 'job'>, idleMs: number) {
    this.#pool = pool
    this.#start = start
    this.#idleMs = idleMs
  }

  /** Starts the Worker, which takes longer than reading does. */
  warm(script: BundledScript): void {
    const warmed = this.#queue.run(async () => {
      try {
        await this.#ready(script)
      } finally {
        this.#rest()
      }
    })
    // The next read starts it again, and reports why it cannot.
    warmed.catch(() => undefined)
  }

  /** Rejects with a `ScriptError` that says what is wrong with the script, and where. */
  read(script: BundledScript, options: ReadOptions): Promise<ScriptContent> {
    const content = Promise.withResolvers<ScriptContent>()
    this.#waiting.push({ script, options, content })
    void this.#queue.run(async () => {
      await this.#readWaiting()
      this.#rest()
    })
    return content.promise
  }

  close(): void {
    clearTimeout(this.#idle)
    this.#reading?.link.close()
    this.#reading = undefined
  }

  /** Reads all that waits, so that who comes after it finds nothing more to do. */
  async #readWaiting(): Promise<void> {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      try {
        await this.#readSome(await this.#ready(first.script))
      } catch (error) {
        // There is no process to read in.
        for (const { content } of this.#waiting.splice(0)) content.reject(error)
      }
    }
  }

  /** Has the Worker read what waits, as far as it comes: what it did not come to waits again. */
  async #readSome(reading: Reading): Promise<void> {
    const most = this.#isAlone ? 1 : Math.min(AHEAD, READS - reading.reads)
    this.#isAlone = false
    const some = this.#waiting.splice(0, most)
    const ids = this.#post(reading, some)
    for (const [index, asked] of some.entries()) {
      const { script, options, content } = asked
      const before = reading.reads
      if (index > 0 && !this.#pool.isSpare(reading.link)) {
        // Its process runs calls by now, or has ended.
        reading.link.close()
        this.#waiting.unshift(...some.slice(index))
        return
      }
      const outcome = await this.#outcome(reading, ids[index] ?? 0, asked)
      if (outcome.type === 'content') {
        content.resolve(outcome.content)
        continue
      }
      if (outcome.type === 'refused') {
        content.reject(new ScriptError(outcome.code, outcome.message, { at: outcome.at }))
        continue
      }
      // It may have ended for what an earlier script had left behind, or for a later one before the reply got here.
      const isSure = outcome.type === 'late' || (before === 0 && some.length === 1)
      this.#isAlone = !isSure
      this.#waiting.unshift(...some.slice(isSure ? index + 1 : index))
      if (!isSure) return
      const { reason, at, endedProcess } = outcome.end
      if (endedProcess) options.onCrash({ ...outcome.end, calls: 1 })
      const how = outcome.type === 'late' ? 'timeout' : 'evaluation'
      content.reject(new ScriptError(how, `${script.file} ${reason}, while it was loaded.`, { at }))
      return
    }
  }

  async #ready(script: BundledScript): Promise<Reading> {
    clearTimeout(this.#idle)
    const process = await this.#pool.spare()
    const current = this.#reading
    // The process that was the spare may run calls by now.
    const isReady = current?.link.isOver === false && process.has(current.link) && current.reads < READS
    if (isReady) return current
    current?.link.close()
    const reading: Reading = {
      link: process.open(() => reading.script.file, { ...this.#start, job: { type: 'read' } }),
      replies: new Map(),
      reads: 0,
      script,
      onNews: undefined,
    }
    reading.link.onMessage((message) => {
      const reply = parseReply(message)
      reading.replies.get(reply.id)?.resolve(reply)
    })
    reading.link.onNews((news) => reading.onNews?.(news))
    this.#reading = reading
    return reading
  }

  #rest(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      this.close()
    }, this.#idleMs).unref()
  }

  /** Sends the Worker the files to read, one after the other; returns the numbers of the replies. */
  #post({ link, replies }: Reading, some: readonly Asked[]): readonly number[] {
    return some.map(({ script, options: { env } }) => {
      const id = (this.#count += 1)
      replies.set(id, Promise.withResolvers())
      link.post({ type: 'read', id, script, env } satisfies ReadOrder)
      return id
    })
  }

  /** The result of one script, once those before it are read. */
  async #outcome(reading: Reading, id: number, { script, options }: Asked): Promise<Outcome> {
    const { link, replies } = reading
    reading.script = script
    reading.reads += 1
    reading.onNews = options.onNews
    let type: 'ended' | 'late' = 'ended'
    const late = setTimeout(() => {
      type = 'late'
      link.close(`was ended: it took longer than ${options.timeoutMs / 1_000} s`)
    }, options.timeoutMs)
    const ended = link.ended.then((end) => ({ type, end }))
    const reply = replies.get(id)?.promise
    try {
      return await (reply === undefined ? ended : Promise.race([reply, ended]))
    } finally {
      clearTimeout(late)
      replies.delete(id)
      reading.onNews = undefined
    }
  }
}

/** Reads a reply, which a script may have said in its place. @throws TypeError if it is invalid */
function parseReply(message: unknown): ReadReply {
  if (isJsonObject(message)) {
    const { type, id, code } = message
    const content = parseContent(message['content'])
    if (type === 'content' && isCount(id) && content !== undefined) return { type, id, content }
    const place = message['at'] === undefined ? undefined : parsePlace(message['at'])
    const isPlaced = message['at'] === undefined || place !== undefined
    if (type === 'refused' && isCount(id) && isErrorCode(code) && isPlaced) {
      const text = message['message']
      if (typeof text === 'string')
        return { type, id, code, message: text, ...(place === undefined ? {} : { at: place }) }
    }
  }
  throw new TypeError('it is not a reply')
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isErrorCode(value: unknown): value is ScriptErrorCode {
  return SCRIPT_ERROR_CODES.some((code) => code === value)
}
