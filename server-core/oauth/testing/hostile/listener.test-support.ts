import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A server on loopback that keeps every byte of what it is sent, and counts the connections to it. */
export class Listener {
  readonly origin: string
  readonly port: number
  /** Method, target, headers and body of each request as text, as sent and decoded, newest last. */
  readonly received: string[] = []
  connections = 0
  handle: Handler
  readonly #server: Server

  private constructor(server: Server, handle: Handler) {
    this.#server = server
    this.handle = handle
    this.port = (server.address() as AddressInfo).port
    this.origin = `http://127.0.0.1:${this.port}`
  }

  /** @param host `::` takes what is sent to any address of this machine */
  static async start(handle: Handler, host = '127.0.0.1'): Promise<Listener> {
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    const listener = new Listener(server, handle)
    server.on('connection', () => {
      listener.connections += 1
    })
    server.on('request', (request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString('latin1')
      })
      request.on('end', () => {
        const { method = '', url = '', rawHeaders } = request
        const whole = [method, url, ...rawHeaders, body].join('\n')
        listener.received.push(`${whole}\n${decoded(whole)}`)
        listener.handle(request, response, body)
      })
    })
    return listener
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** What a request contains encoded, as an attacker would read it: Basic credentials, forms. */
function decoded(text: string): string {
  const basic = [...text.matchAll(/Basic ([\w+/=]+)/g)].map(([, each = '']) =>
    Buffer.from(each, 'base64').toString(),
  )
  return [
    ...basic,
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(String(hex), 16))),
  ].join('\n')
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
