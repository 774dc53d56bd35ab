import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clientCheck } from '../../check.ts'
import { describeEnding, type ClientExam } from '../../exam/client-exam.ts'
import type { ExamHttp } from '../../exam/exam-http.ts'
import { elapsed } from '../../probe/waits.ts'

/** Serves the next GET by a stream that announces what `write` writes, and notes every POST. */
function announce(exam: ClientExam, write: (exchange: ExamHttp) => void): readonly ExamHttp[] {
  const posts: ExamHttp[] = []
  exam.onHttp((exchange) => {
    if (exchange.method === 'POST') {
      posts.push(exchange)
      exchange.respond(202)
      return true
    }
    if (exchange.method !== 'GET') return false
    exchange.response.writeHead(200, { 'content-type': 'text/event-stream' })
    exchange.response.flushHeaders()
    write(exchange)
    return true
  })
  return posts
}

const endpoint = (address: string) => `event: endpoint\ndata: ${address}\n\n`

export const postsThere = clientCheck(
  'sse.client.posts',
  async (exam) => {
    exam.set({ requestTimeoutMs: exam.waits.answerMs })
    for (const form of ['relative', 'absolute'] as const) {
      const path = `/patchbay/${form}?session=a%20b&more=1`
      const address = (exchange: ExamHttp) =>
        form === 'relative' ? path : `http://${exchange.headers['host'] ?? ''}${path}`
      const posts = announce(exam, (exchange) => exchange.response.write(endpoint(address(exchange))))
      const mark = exam.exchanges.length
      const connecting = exam.step({ type: 'connect' })
      for (const until = performance.now() + exam.waits.answerMs; performance.now() < until;) {
        if (posts.length > 0) break
        await elapsed(20)
      }
      exam.exchanges
        .slice(mark)
        .find(({ method }) => method === 'GET')
        ?.response.end()
      await exam.ending(connecting)
      await exam.endClient()
      if (posts.length === 0) exam.inconclusive('the client posted nothing')
      const elsewhere = posts.find((exchange) => exchange.path !== path)
      exam.expect(elsewhere === undefined, {
        expected: `POST to ${path}`,
        actual: elsewhere?.path ?? '',
        statement: 'sse.client-posts-there',
        frame: elsewhere?.frame,
      })
    }
  },
  { title: 'Messages are posted to the address that was announced' },
)

export const refusesForeignEndpoint = clientCheck(
  'sse.client.foreign-endpoint',
  async (exam) => {
    exam.set({ requestTimeoutMs: exam.waits.answerMs })
    const paths: string[] = []
    const foreign = createServer((request, response) => {
      paths.push(`${request.method ?? ''} ${request.url ?? ''}`)
      response.writeHead(202).end()
    })
    const listening = new Promise((resolve) => foreign.listen(0, '127.0.0.1', () => resolve(undefined)))
    await listening
    // Another port of the same machine is another origin, wherever loopback has one address alone.
    const { port } = foreign.address() as AddressInfo
    try {
      announce(exam, (exchange) => exchange.response.write(endpoint(`http://127.0.0.1:${port}/x`)))
      const connecting = exam.step({ type: 'connect' })
      for (const until = performance.now() + exam.waits.silenceMs * 5; performance.now() < until;) {
        if (paths.length > 0) break
        await elapsed(20)
      }
      const stream = exam.exchanges.find(({ method }) => method === 'GET')
      stream?.response.end()
      await exam.ending(connecting)
      if (stream === undefined) exam.inconclusive('the client never connected')
      if (paths.length > 0) {
        exam.warn({
          expected: 'no message to another origin',
          actual: paths.join(', '),
          frame: stream?.frame,
        })
      }
    } finally {
      foreign.closeAllConnections()
      foreign.close()
    }
  },
  { title: 'An address on another origin is refused' },
)

const LATE_MS = 1_000

export const waitsForEndpoint = clientCheck(
  'sse.client.waits',
  async (exam) => {
    exam.set({ requestTimeoutMs: Math.max(exam.waits.answerMs, LATE_MS * 3) })
    for (const comes of [true, false]) {
      let announcedAt = Infinity
      const times: number[] = []
      const posts = announce(exam, (exchange) => {
        if (!comes) return
        setTimeout(() => {
          announcedAt = performance.now()
          exchange.response.write(endpoint('/patchbay/late'))
        }, LATE_MS)
      })
      exam.onHttp((exchange) => {
        if (exchange.method === 'POST') times.push(performance.now())
        return false
      })
      const mark = exam.exchanges.length
      const connecting = exam.step({ type: 'connect' })
      await elapsed(LATE_MS + exam.waits.silenceMs)
      for (const until = performance.now() + exam.waits.answerMs; comes && performance.now() < until;) {
        if (posts.length > 0) break
        await elapsed(20)
      }
      const early = posts[times.findIndex((at) => at < announcedAt)]
      exam.expect(early === undefined, {
        expected: 'no POST before the address is announced',
        actual: `POST ${early?.path ?? ''}`,
        statement: 'sse.client-posts-there',
        frame: early?.frame,
      })
      if (comes)
        exam.exchanges
          .slice(mark)
          .find(({ method }) => method === 'GET')
          ?.response.end()
      const ending = await exam.ending(connecting, Math.max(exam.waits.answerMs * 4, 60_000))
      exam.expect(comes || ending.type === 'failed', {
        expected: 'a timeout where no address comes',
        actual: describeEnding(ending),
        statement: 'sse.endpoint-event',
        frame: exam.exchanges.at(-1)?.frame,
      })
      await exam.endClient()
    }
  },
  { title: 'Nothing is posted before the address is there', slow: true },
)
