import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestId } from '../protocol/messages.ts'
import type { ClientAuthorization } from '../ports/client-authorization.ts'
import type { ClientReceiver, ClientTransport, TransportError } from '../ports/contract.ts'
import type { Frame, Tap } from '../ports/tap.ts'

const cleanups: (() => unknown)[] = []

/** Undoes what `httpServer` and `attached` did, in reverse. */
export const cleanUp = async (): Promise<void> => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

export const atTheEnd = (cleanup: () => unknown): void => void cleanups.push(cleanup)

/** An HTTP request as the server of a test saw it. */
export type Seen = { readonly method: string; readonly url: string; readonly body: string } & Pick<
  IncomingMessage,
  'headers'
>

/** A server that answers as the test says, once a request is there as a whole. */
export const httpServer = async (
  answer: (seen: Seen, response: ServerResponse, request: IncomingMessage) => void,
) => {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(parts).toString() }
      seen.push(one)
      answer(one, response, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atTheEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { server, seen, origin: `http://127.0.0.1:${port}` }
}

/** Keeps what a transport tells; `count(n)` resolves once so many things came. */
export const attached = (make: (tap: Tap) => ClientTransport) => {
  const frames: Frame[] = []
  const messages: unknown[] = []
  const invalid: { readonly text: string; readonly bytes: Uint8Array; readonly reason: string }[] = []
  const failures: (readonly [RequestId, TransportError])[] = []
  const ends: TransportError[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const ended = Promise.withResolvers<TransportError>()
  const came = (): number => messages.length + invalid.length + failures.length
  const wake = (): void => {
    for (const each of waiting) if (came() >= each.count) each.resolve()
  }
  const receiver: ClientReceiver = {
    message: ({ value }) => {
      messages.push(value)
      wake()
    },
    invalid: (bytes, reason) => {
      invalid.push({ text: Buffer.from(bytes).toString(), bytes, reason })
      wake()
    },
    requestFailed: (id, error) => {
      failures.push([id, error])
      wake()
    },
    closed: (error) => {
      ends.push(error)
      ended.resolve(error)
    },
  }
  const transport = make({ record: (frame) => frames.push(frame) })
  atTheEnd(() => transport.close())
  return {
    transport,
    start: () => transport.start(receiver),
    frames,
    messages,
    invalid,
    failures,
    ends,
    ended: ended.promise,
    count: (count: number): Promise<void> =>
      new Promise((resolve) => (came() >= count ? resolve() : waiting.push({ count, resolve }))),
  }
}

/** The error that a promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

/** An authorization that has its tokens in a row: each challenge takes the next. */
export const tokensInARow = (tokens: readonly string[]) => {
  const heard: string[] = []
  let index = 0
  const authorization: ClientAuthorization = {
    headers: ({ method, url }) => {
      heard.push(`${method} ${new URL(url).pathname}`)
      return Promise.resolve({ authorization: `Bearer ${tokens[index]}` })
    },
    challenged: ({ status, headers }) => {
      heard.push(`${status} ${headers['www-authenticate'] ?? ''}`.trim())
      index += 1
      return Promise.resolve(index < tokens.length)
    },
    responded: (_headers, status) => void heard.push(`-> ${status}`),
  }
  return { authorization, heard }
}
