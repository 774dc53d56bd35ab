import type { Socket } from 'node:net'
import { INITIALIZE, messageOf, post, type Ask } from './calls.ts'
import { exchange, open, type Load } from './http-load.ts'

const DATA = 'data: '

/** One client of HTTP+SSE (2024-11-05): it posts on one connection and gets the answers on another. */
class SseCaller {
  readonly #posts: Socket
  #tail = ''
  #path = ''
  #heard: ((message: string) => void) | undefined

  private constructor(posts: Socket) {
    this.#posts = posts
  }

  static async open(port: number): Promise<SseCaller> {
    const [posts, stream] = await Promise.all([open(port), open(port)])
    const caller = new SseCaller(posts)
    const opened = caller.#next()
    stream.on('data', (chunk: Buffer) => {
      caller.#read(chunk.toString('latin1'))
    })
    stream.write('GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n')
    caller.#path = await opened
    await caller.call(INITIALIZE)
    return caller
  }

  async call(body: string): Promise<string> {
    const answered = this.#next()
    await exchange(this.#posts, post(body, {}, this.#path))
    return answered
  }

  #next(): Promise<string> {
    return new Promise((resolve) => {
      this.#heard = resolve
    })
  }

  #read(text: string): void {
    const lines = (this.#tail + text).split('\n')
    this.#tail = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith(DATA)) this.#heard?.(line.slice(DATA.length).trim())
  }
}

/** Opens so many clients, which then call one after another. */
export async function openSseLoad(port: number, ask: Ask, clients: number): Promise<Load> {
  const callers = await Promise.all(Array.from({ length: clients }, () => SseCaller.open(port)))
  const body = messageOf('legacy', 1, ask)
  return async (windowMs) => {
    const until = performance.now() + windowMs
    const counts = await Promise.all(
      callers.map(async (caller) => {
        let calls = 0
        for (; performance.now() < until; calls += 1) {
          const answer = await caller.call(body)
          if (!ask.isAnswered(Buffer.from(answer))) throw new Error(`the answer is ${answer.slice(0, 300)}`)
        }
        return calls
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }
}
