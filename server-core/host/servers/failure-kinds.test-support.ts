import { chmod, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { WebSocketServer, type WebSocket } from 'ws'
import { connectTo } from '../../client/connect-to.ts'
import { Redaction } from '../../capture/redaction.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../../transports/http/certificate.test-support.ts'
import type { ServerAddress } from '../../transports/opener.ts'
import type { Failure } from '../contract/servers.ts'
import { failureOf } from '../../diagnosis/failure.ts'

const IDENTITY = { name: 'test', version: '1' }

/**
 * Connects, and returns the failure that a user sees; the connection is expected to fail.
 *
 * @param requestTimeoutMs milliseconds for each answer
 */
export async function failureAt(address: ServerAddress, requestTimeoutMs: number): Promise<Failure> {
  try {
    const connection = await connectTo(address, {
      identity: IDENTITY,
      probeTimeoutMs: 400,
      requestTimeoutMs,
    })
    await connection.close()
  } catch (error) {
    return failureOf(error, 'connecting', { masking: new Redaction() })
  }
  throw new Error('expected the connection to fail')
}

/** Things that fail, in a folder and on ports of their own. */
export class Failing {
  readonly folder: string
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()

  constructor(folder: string) {
    this.folder = folder
  }

  close(): void {
    for (const server of this.#servers) server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** A file that may be executed unless told. */
  async file(name: string, content: string | Buffer, mode = 0o755): Promise<string> {
    const file = path.join(this.folder, name)
    await writeFile(file, content)
    await chmod(file, mode)
    return file
  }

  async listen(server: Server): Promise<string> {
    this.#servers.push(server)
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** What nobody listens at. */
  refused(): Promise<string> {
    // No system gives this port to one who asks for any.
    return Promise.resolve('127.0.0.1:1')
  }

  tcp(listener: (socket: Socket) => void): Promise<string> {
    return this.listen(createTcpServer(listener))
  }

  tls(): Promise<string> {
    return this.listen(
      createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (_request, response) => response.end()),
    )
  }

  http(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
    return this.listen(createServer(listener))
  }

  /** Every request gets this. */
  reply(status: number, headers: Record<string, string> = {}, body = ''): Promise<string> {
    return this.http((_request, response) => response.writeHead(status, headers).end(body))
  }

  /** Every request gets that line on an event stream, which stays open. */
  events(text: string, isEnding = false): Promise<string> {
    return this.http((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text)
      if (isEnding) response.end()
    })
  }

  /** A JSON-RPC message with the request's id, by POST. */
  answer(message: (request: { readonly method: string }) => object, status = 200): Promise<string> {
    return this.http((request, response) => {
      let text = ''
      request.on('data', (part: Buffer) => (text += part.toString()))
      request.on('end', () => {
        // What opens an event stream has no body.
        const sent = JSON.parse(text === '' ? '{}' : text) as { readonly id: number; readonly method: string }
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: sent.id, ...message(sent) }))
      })
    })
  }

  async webSocket(onOpen: (socket: WebSocket) => void, handleProtocols?: () => false): Promise<string> {
    const http = createServer((_request, response) => response.end())
    const sockets = new WebSocketServer({ noServer: true, ...(handleProtocols && { handleProtocols }) })
    http.on('upgrade', (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (opened) => {
        opened.on('error', () => undefined)
        onOpen(opened)
      })
    })
    return this.listen(http)
  }
}

/** The beginning of a 64-bit program of Linux for a processor; with a loader, it is one that needs that. */
export function elf(machine: number, loader = ''): Buffer {
  const head = Buffer.alloc(64 + 56 + 64)
  head.write('\x7fELF', 'latin1')
  head.set([2, 1, 1], 4)
  head.writeUInt16LE(2, 16)
  head.writeUInt16LE(machine, 18)
  head.writeUInt32LE(1, 20)
  head.writeBigUInt64LE(0x400000n, 24)
  head.writeBigUInt64LE(64n, 32)
  head.writeUInt16LE(64, 52)
  head.writeUInt16LE(56, 54)
  head.writeUInt16LE(1, 56)
  // PT_INTERP, or PT_LOAD with nothing in it.
  head.writeUInt32LE(loader === '' ? 1 : 3, 64)
  head.writeBigUInt64LE(120n, 72)
  head.writeBigUInt64LE(BigInt(loader.length + 1), 96)
  head.write(`${loader}\0`, 120, 'latin1')
  return head
}
