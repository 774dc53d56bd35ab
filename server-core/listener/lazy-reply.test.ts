import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import { ListenerExchange } from './listener-exchange.ts'
import { LazyReply } from './lazy-reply.ts'
import { StreamMonitor } from './stream-monitor.ts'
import { NO_TAP } from '../ports/tap.ts'

/** Lets `act` make the reply to one real request, and gives what its stream was sent, if it became one. */
async function replyTo(
  act: (reply: LazyReply) => void,
): Promise<{ type: string | undefined; events: string[] }> {
  const events: string[] = []
  const server = createServer((request, response) => {
    const exchange = new ListenerExchange(request, response, 1, NO_TAP)
    const stream = () => {
      exchange.beginStream(false)
      return {
        send: (bytes: Uint8Array) => events.push(Buffer.from(bytes).toString()),
        end: () => response.end(),
      }
    }
    act(new LazyReply({ exchange, monitor: new StreamMonitor(DEFAULT_LIMITS), stream }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const type = await new Promise<string | undefined>((resolve) => {
    get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }, (response) => {
      response.resume().on('end', () => {
        resolve(response.headers['content-type'])
      })
    })
  })
  server.closeAllConnections()
  server.close()
  return { type, events }
}

const bytes = (text: string) => Buffer.from(text)

describe('LazyReply', () => {
  it('is one JSON body as long as nothing precedes the answer', async () => {
    const reply = await replyTo((lazy) => {
      lazy.tick(performance.now() + 9_000)
      lazy.answer(bytes('{}'), 200)
    })
    expect(reply).toEqual({ type: 'application/json', events: [] })
  })

  it('becomes a stream after ten seconds, so that proxies keep it open', async () => {
    const reply = await replyTo((lazy) => {
      lazy.tick(performance.now() + 10_001)
      lazy.answer(bytes('{}'), 200)
    })
    expect(reply).toEqual({ type: 'text/event-stream', events: ['{}'] })
  })

  it('sends nothing after its answer', async () => {
    const reply = await replyTo((lazy) => {
      lazy.emit(bytes('1'))
      lazy.answer(bytes('2'), 200)
      lazy.emit(bytes('3'))
      lazy.answer(bytes('4'), 200)
      lazy.abandon()
    })
    expect(reply.events).toEqual(['1', '2'])
  })
})
