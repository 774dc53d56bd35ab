import { Agent, request } from 'undici'
import { SseParser } from '../../server-core/transports/http/sse-codec.ts'
import { readMessage, shakeHands, type RawConnection, type Message, type Target } from './raw-connection.ts'

/** Longest event that is read, in bytes. */
const EVENT_BYTES = 1_000_000
/** Posts under way at once. */
const CONNECTIONS = 4

/** A session over HTTP+SSE (2024-11-05): messages are posted, answers come on the stream; a refused post is an answer. */
export async function openSseConnection({ sseUrl }: Target): Promise<RawConnection> {
  const agent = new Agent({ connections: CONNECTIONS + 1, headersTimeout: 60_000, bodyTimeout: 0 })
  const stream = await request(sseUrl, { dispatcher: agent, headers: { accept: 'text/event-stream' } })
  let listener: (message: Message) => void = () => undefined
  const endpoint = Promise.withResolvers<string>()
  const parser = new SseParser(EVENT_BYTES, ({ name, data }) => {
    if (data === undefined) return
    const text = Buffer.from(data).toString()
    if (name === 'endpoint') endpoint.resolve(new URL(text, sseUrl).href)
    else listener(readMessage(text))
  })
  const closed = read()
  const url = await Promise.race([endpoint.promise, closed])
  const posts = new Set<Promise<void>>()
  return shakeHands({
    closed,
    keepsOrder: false,
    send: (bytes) => {
      const posted = post(bytes).finally(() => posts.delete(posted))
      posts.add(posted)
    },
    flushed: async () => {
      while (posts.size > 0) await Promise.all(posts)
    },
    onMessage: (next) => {
      listener = next
    },
    carries: () => true,
    close: async () => {
      await Promise.allSettled(posts)
      await agent.destroy()
    },
  })

  async function read(): Promise<string> {
    try {
      for await (const chunk of stream.body) parser.push(chunk as Buffer)
      return 'the server ended the stream'
    } catch (error) {
      return `the stream broke: ${String(error)}`
    }
  }

  async function post(body: Buffer): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const response = await request(url, { dispatcher: agent, method: 'POST', headers, body })
    const text = await response.body.text()
    if (response.statusCode !== 202) listener(readMessage(text))
  }
}
