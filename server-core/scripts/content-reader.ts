import { isJsonObject } from '../protocol/json.ts'
import { isDefinitions } from '../registry/port/messages.ts'
import type {
  BundledScript,
  ReadOrder,
  ReadReply,
  ScriptContent,
  WorkerNews,
  WorkerStart,
} from './channel.ts'
import type { ProcessPool } from './process-pool.ts'
import { ScriptError } from './script-error.ts'
import type { LinkEnd, WorkerLink } from './worker-link.ts'

/** Scripts that one Worker reads before another takes its place: what it has loaded it keeps. */
const READS = 100

type Reading = { readonly link: WorkerLink; reads: number; script: BundledScript }

export type ReadOptions = {
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly onNews: (news: WorkerNews) => void
  /** The script ended the process in which it was read. */
  readonly onCrash: (end: LinkEnd) => void
}

/**
 * Reads what scripts serve: loads them, one after the other, in a Worker of the spare process, so that nothing a script
 * does at its top disturbs a call. The Worker ends after a while without work.
 */
export class ContentReader {
  readonly #pool: ProcessPool
  readonly #start: Omit<WorkerStart, 'job'>
  readonly #idleMs: number
  #reading: Reading | undefined
  #last: Promise<unknown> = Promise.resolve()
  #count = 0
  #idle: NodeJS.Timeout | undefined

  constructor(pool: ProcessPool, start: Omit<WorkerStart, 'job'>, idleMs: number) {
    this.#pool = pool
    this.#start = start
    this.#idleMs = idleMs
  }

  /** Starts the Worker, which takes longer than reading does. */
  warm(script: BundledScript): void {
    this.#last = this.#last
      .then(() => this.#ready(script))
      .catch(() => undefined)
      .finally(() => {
        this.#rest()
      })
  }

  /** Rejects with a `ScriptError` that says what is wrong with the script, and where. */
  read(script: BundledScript, options: ReadOptions): Promise<ScriptContent> {
    const reading = this.#last
      .then(() => this.#read(script, options))
      .finally(() => {
        this.#rest()
      })
    this.#last = reading.catch(() => undefined)
    return reading
  }

  close(): void {
    clearTimeout(this.#idle)
    this.#reading?.link.close()
    this.#reading = undefined
  }

  async #read(script: BundledScript, options: ReadOptions): Promise<ScriptContent> {
    const reading = await this.#ready(script)
    const before = reading.reads
    const reply = await this.#ask(reading, script, options)
    if (reply.type === 'content') return reply.content
    if (reply.type === 'refused') throw new ScriptError(reply.code, reply.message, { at: reply.at })
    // It may have ended for what an earlier script had left behind.
    if (reply.type === 'ended' && before > 0) return this.#read(script, options)
    const { reason, at } = reply.end
    if (reply.end.endedProcess) options.onCrash(reply.end)
    throw new ScriptError(
      reply.type === 'late' ? 'timeout' : 'evaluation',
      `${script.file} ${reason}, while it was loaded.`,
      { at },
    )
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
      reads: 0,
      script,
    }
    this.#reading = reading
    return reading
  }

  #rest(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      this.close()
    }, this.#idleMs).unref()
  }

  async #ask(
    reading: Reading,
    script: BundledScript,
    { env, timeoutMs, onNews }: ReadOptions,
  ): Promise<
    | Extract<ReadReply, { type: 'content' | 'refused' }>
    | { readonly type: 'ended' | 'late'; readonly end: LinkEnd }
  > {
    const { link } = reading
    reading.script = script
    reading.reads += 1
    const id = (this.#count += 1)
    const reply = Promise.withResolvers<ReadReply>()
    link.onMessage((message) => {
      const said = readReply(message)
      if (said?.id === id) reply.resolve(said)
    })
    let isOurs = true
    link.onNews((news) => {
      if (isOurs) onNews(news)
    })
    let type: 'ended' | 'late' = 'ended'
    const late = setTimeout(() => {
      type = 'late'
      link.close(`was ended: it took longer than ${timeoutMs / 1_000} s`)
    }, timeoutMs)
    link.post({ type: 'read', id, script, env } satisfies ReadOrder)
    const ended = link.ended.then((end) => ({ type, end }))
    try {
      return await Promise.race([reply.promise, ended])
    } finally {
      clearTimeout(late)
      isOurs = false
    }
  }
}

/** Reads a reply, which a script may have said in its place. */
function readReply(message: unknown): ReadReply | undefined {
  if (!isJsonObject(message) || !Number.isSafeInteger(message['id'])) return undefined
  const { type, content } = message
  if (type === 'content' && isJsonObject(content) && isDefinitions(content['definitions'])) {
    return message as ReadReply
  }
  return type === 'refused' && typeof message['message'] === 'string' ? (message as ReadReply) : undefined
}
