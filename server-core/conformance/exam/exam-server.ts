import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http'
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { WebSocketServer } from 'ws'
import { BridgeCarrier, type BridgeEvent } from './bridge-carrier.ts'
import type { ExamParts } from './exam-parts.ts'
import { readExchange, type ExamHttp, type HttpHandler } from './exam-http.ts'
import { serveSse, sseConnectionOf } from './sse-carrier.ts'
import { StreamableCarrier } from './streamable-carrier.ts'
import { serveWebSocket } from './websocket-carrier.ts'

const PATHS = { http: '/mcp', sse: '/sse', websocket: '/ws' } as const

/** A raw server on all transports that says what a dialogue tells it to say. */
export class ExamServer {
  readonly parts: ExamParts
  /** Every HTTP request of the client. */
  readonly exchanges: ExamHttp[] = []
  /** Every request for a WebSocket: its address and headers. */
  readonly upgrades: { readonly url: string; readonly headers: Readonly<Record<string, string>> }[] = []
  /** What a client did with the process it started over stdio. */
  readonly processEvents: BridgeEvent[] = []
  /** The origin that clients see; different behind a proxy. */
  publicOrigin = ''
  /** Idle connections stay open: one that ends just when a request comes would look like a fault of the client. */
  readonly #http: Server = createServer({ keepAliveTimeout: 0 })
  readonly #tcp: TcpServer = createTcpServer({ allowHalfOpen: true })
  readonly #sockets = new Set<Socket>()
  readonly #handlers: HttpHandler[] = []
  readonly #streamable: StreamableCarrier
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    handleProtocols: () => 'mcp',
    // Bytes that are not UTF-8 are kept as a frame; that they are wrong is a matter of one check.
    skipUTF8Validation: true,
  })
  readonly #bridge: BridgeCarrier

  constructor(parts: ExamParts) {
    this.parts = parts
    this.#streamable = new StreamableCarrier(parts)
    this.#bridge = new BridgeCarrier(parts, (event) => this.processEvents.push(event))
  }

  /** Starts to listen on loopback. */
  async start(): Promise<void> {
    this.#http.on('request', (request, response) => {
      const captured = (headers: Readonly<Record<string, string>>, json: unknown) =>
        this.parts.cell.transport === 'sse'
          ? sseConnectionOf(request.url ?? '', this.parts)
          : this.#streamable.capturedFor(headers, json)
      void readExchange(request, response, {
        log: this.parts.log,
        captured,
        number: this.exchanges.length + 1,
      })
        .then((exchange) => this.#serve(exchange))
        .catch(this.parts.onError)
    })
    this.#http.on('upgrade', (request, socket, head) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const)
      this.upgrades.push({ url: request.url ?? '', headers: Object.fromEntries(headers) })
      if (request.url?.split('?')[0] !== PATHS.websocket) {
        socket.destroy()
        return
      }
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        serveWebSocket(webSocket, this.parts)
      })
    })
    this.#tcp.on('connection', (socket) => {
      this.#bridge.accept(socket)
    })
    for (const server of [this.#http, this.#tcp]) {
      server.on('connection', (socket: Socket) => {
        this.#sockets.add(socket)
        socket.once('close', () => this.#sockets.delete(socket))
      })
      server.listen(0, '127.0.0.1')
    }
    await Promise.all([this.#http, this.#tcp].map((server) => once(server, 'listening')))
    this.publicOrigin = this.origin
  }

  /** The port of the bridge, for clients over stdio. */
  get bridgePort(): number {
    return (this.#tcp.address() as AddressInfo).port
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  /** Where the client connects. */
  get url(): string {
    const { transport } = this.parts.cell
    if (transport === 'stdio') return ''
    const origin = transport === 'websocket' ? this.publicOrigin.replace(/^http/, 'ws') : this.publicOrigin
    return `${origin}${PATHS[transport]}`
  }

  /** Writes the names of response headers as `change` gives them. */
  renameHeaders(change: (name: string) => string): void {
    this.#http.prependListener('request', (_request, response) => {
      const write = response.writeHead.bind(response)
      const renamed = (headers: OutgoingHttpHeaders) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]))
      Object.assign(response, {
        writeHead: (status: number, headers: OutgoingHttpHeaders = {}) => write(status, renamed(headers)),
      })
    })
  }

  /** The client has ended: whoever comes is another one. */
  forgetClient(): void {
    this.#streamable.forgetClient()
    this.parts.log.beginRun()
  }

  /** Sends a command to the processes that stand for this server over stdio. */
  control(command: string): void {
    this.#bridge.control(command)
  }

  /** Answers HTTP requests before the server does; the last added is asked first. */
  onHttp(handler: HttpHandler): void {
    this.#handlers.unshift(handler)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#webSockets.close()
    await Promise.all(
      [this.#http, this.#tcp].map((server) => new Promise((resolve) => server.close(resolve))),
    )
  }

  async #serve(exchange: ExamHttp): Promise<void> {
    this.exchanges.push(exchange)
    for (const handler of this.#handlers) if (await handler(exchange)) return
    const path = exchange.path.split('?')[0] ?? ''
    const { transport } = this.parts.cell
    if (transport === 'http' && path === PATHS.http) this.#streamable.serve(exchange)
    else if (transport === 'sse' && path.startsWith(PATHS.sse)) serveSse(exchange, this.parts)
    else exchange.respond(404, { 'content-type': 'text/plain' }, 'Not found')
  }
}
