import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request as it came. */
export type Seen = {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Reply = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** An HTTP server on this machine that answers as configured, and records requests. */
export async function apiServer(answer: (seen: Seen) => Reply | Promise<Reply>) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const reply = async () => {
      const came: Seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: await text(request),
      }
      seen.push(came)
      const { status = 200, headers = {}, body = '' } = await answer(came)
      response.writeHead(status, headers).end(body)
    }
    reply().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function json(value: unknown, status = 200): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}
