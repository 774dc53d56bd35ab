import type { WireTransport } from '../../../server-core/protocol/transport-kind.ts'
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { Side } from '../../../server-core/conformance/catalogue/catalogue.ts'
import { encodeSseEvent, SseParser } from '../../../server-core/transports/http/sse-codec.ts'
import type { Fault, ProxiedStream, ProxyRequest, ProxyResponse } from '../mutant.ts'
import { renameInText, renameOrigin } from './origin-names.ts'
import { MessageMutator, type Direction } from './message-mutator.ts'

const MAX_EVENT = 256 * 1024 * 1024

/** Whether a fault is made on the wire. */
export function isProxied(fault: Fault): boolean {
  const { http, streams, abandoned, webSocket } = fault
  return (
    [http, streams, abandoned, webSocket].some((hook) => hook !== undefined) || MessageMutator.isNeeded(fault)
  )
}

/** An HTTP and WebSocket proxy that makes the faults of one peer: of the server behind it, or of its client. */
export class MutatingProxy {
  readonly #fault: Fault
  readonly #side: Side
  readonly #upstream: URL
  readonly #peer = new Map<string, unknown>()
  readonly #mutators = new Map<string, MessageMutator>()
  readonly #server = createServer()
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: 128 * 1024 * 1024,
    handleProtocols: (offered) => this.#fault.webSocket?.protocol?.([...offered]) ?? 'mcp',
  })
  #isDead = false
  #origin = ''
  readonly #sockets = new Set<Duplex>()
  readonly #streams = new Set<ProxiedStream>()

  /** @param side the side whose fault it is @param upstream the origin of the server */
  constructor(fault: Fault, side: Side, upstream: string) {
    this.#fault = fault
    this.#side = side
    this.#upstream = new URL(upstream)
  }

  /** Starts to listen, and resolves with its origin. */
  async start(): Promise<string> {
    this.#server.on('request', (request, response) => {
      this.#serve(request, response).catch(() => {
        response.destroy()
      })
    })
    this.#server.on('upgrade', (request, socket, head) => {
      this.#upgrade(request, socket, head)
    })
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this.#origin
  }

  /** Known still after the end: the last bytes of a stream may come then. */
  get origin(): string {
    return this.#origin
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const request: ProxyRequest = {
      method: incoming.method ?? 'GET',
      path: renameInText(incoming.url ?? '/', new URL(this.origin), this.#upstream),
      headers: this.#ownNames(incoming),
      body: renameOrigin(Buffer.concat(chunks), new URL(this.origin), this.#upstream),
    }
    const { abandoned } = this.#fault
    response.once('close', () => {
      if (response.writableFinished) return
      abandoned?.(request, (message) => {
        const body = Buffer.from(JSON.stringify(message))
        void this.#forward({ ...request, method: 'POST', body }).then((each) => each.resume())
      })
    })
    let reply: IncomingMessage | undefined
    const next = async (changed: ProxyRequest): Promise<ProxyResponse> => {
      const forwarded = this.#changeRequest(changed, response)
      if (forwarded === undefined) return { status: 0, headers: {}, body: undefined }
      reply = await this.#forward(forwarded)
      response.once('close', () => reply?.destroy())
      const { statusCode = 502, headers } = reply
      const plain = Object.entries(headers).map(
        ([name, value]) => [name, this.#renamed(String(value))] as const,
      )
      const names = reply.rawHeaders.filter((_, index) => index % 2 === 0)
      return { status: statusCode, headers: Object.fromEntries(plain), body: undefined, names }
    }
    const { status, headers, body } = await (this.#fault.http?.(request, next, this.#peer) ?? next(request))
    if (status === 0 || response.headersSent) return
    await this.#respond(response, request, { status, headers, body }, reply)
  }

  /** The request with its messages changed; undefined if the peer answers by itself or drops it. */
  #changeRequest(request: ProxyRequest, response: ServerResponse): ProxyRequest | undefined {
    if (request.body.length === 0) return request
    const direction: Direction = this.#side === 'server' ? 'incoming' : 'outgoing'
    const mutator = this.#mutatorFor(request)
    const replies: Buffer[] = []
    const pieces = mutator.change(direction, request.body, {
      reply: (bytes) => replies.push(bytes),
      headers: request.headers,
      crash: () => response.destroy(),
    })
    const [only] = pieces
    if (pieces.length === 1 && only !== undefined && replies.length === 0) return { ...request, body: only }
    if (only !== undefined) {
      // Several messages take several requests; the reply to the last one is passed on.
      for (const piece of pieces.slice(0, -1))
        void this.#forward({ ...request, body: piece }).then((each) => each.resume())
      return { ...request, body: pieces.at(-1) ?? only }
    }
    const [reply] = replies
    if (reply === undefined) response.writeHead(202).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
    return undefined
  }

  #forward(request: ProxyRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...headers } = request.headers
      const hasBody = request.body.length > 0 || request.method === 'POST'
      const outgoing = send({
        host: this.#upstream.hostname,
        port: this.#upstream.port,
        method: request.method,
        path: request.path,
        headers: { ...headers, ...(hasBody && { 'content-length': request.body.length }) },
        agent: false,
      })
      outgoing.once('response', resolve)
      outgoing.once('error', reject)
      outgoing.end(request.body)
    })
  }

  async #respond(
    response: ServerResponse,
    request: ProxyRequest,
    { status, headers, body }: ProxyResponse,
    reply: IncomingMessage | undefined,
  ): Promise<void> {
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = headers
    const session = headers['mcp-session-id']
    const direction: Direction = this.#side === 'server' ? 'outgoing' : 'incoming'
    const mutator = this.#mutatorFor(request, session)
    // What answers a message on a response goes to the server as a request of its own.
    const back = (bytes: Buffer) => {
      const accept = 'application/json, text/event-stream'
      const own = { ...request.headers, accept, 'content-type': 'application/json' }
      void this.#forward({ ...request, method: 'POST', headers: own, body: bytes }).then((each) =>
        each.resume(),
      )
    }
    const change = (bytes: Buffer) =>
      mutator.change(direction, bytes, { reply: back, headers: request.headers, asked: request.body })
    if (body !== undefined || reply === undefined) {
      response.writeHead(status, kept)
      response.end(body)
      return
    }
    if (/^text\/event-stream/.test(headers['content-type'] ?? '')) {
      response.writeHead(status, kept)
      response.flushHeaders()
      this.#passEvents(reply, response, change, request)
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of reply) chunks.push(chunk as Buffer)
    const whole = this.#renamedBytes(Buffer.concat(chunks))
    response.writeHead(status, kept)
    response.end(whole.length === 0 ? whole : Buffer.concat(change(whole)))
  }

  #passEvents(
    reply: IncomingMessage,
    response: ServerResponse,
    change: (bytes: Buffer) => readonly Buffer[],
    request: ProxyRequest,
  ): void {
    const { streams = {} } = this.#fault
    const stream = this.#stream(request, response)
    response.once('close', () => {
      this.#streams.delete(stream)
    })
    reply.on('end', () => {
      if (streams.staysOpen !== true) response.end()
    })
    reply.on('error', () => response.destroy())
    streams.begin?.(stream)
    if (streams.bytes !== undefined) {
      const { bytes: changeBytes } = streams
      reply.on('data', (bytes: Buffer) => response.write(changeBytes(bytes, stream)))
      return
    }
    const parser = new SseParser(MAX_EVENT, (event) => {
      const { name, data } = event
      const isMessage = name === 'message' && data !== undefined && data.length > 0
      const own = data === undefined ? undefined : this.#renamedBytes(data)
      const pieces = isMessage && own !== undefined ? change(own) : [own]
      for (const piece of pieces) {
        const whole = { ...event, ...(piece !== undefined && { data: piece }) }
        for (const each of streams.event?.(whole, stream) ?? [whole]) stream.write(each)
      }
    })
    reply.on('data', (bytes: Buffer) => {
      parser.push(bytes)
    })
  }

  #stream(request: ProxyRequest, response: ServerResponse): ProxiedStream {
    const streams = this.#streams
    const stream: ProxiedStream = {
      request,
      get others() {
        return [...streams].filter((each) => each !== stream)
      },
      notes: new Map(),
      peer: this.#peer,
      write: ({ name, data, id, retry }) => {
        response.write(
          encodeSseEvent({
            ...(name !== 'message' && { name }),
            ...(data !== undefined && { data }),
            ...(id !== undefined && { id }),
            ...(retry !== undefined && { retry }),
          }),
        )
      },
    }
    streams.add(stream)
    return stream
  }

  #renamed(text: string): string {
    return renameInText(text, this.#upstream, new URL(this.origin))
  }

  #renamedBytes(bytes: Buffer): Buffer {
    return renameOrigin(bytes, this.#upstream, new URL(this.origin))
  }

  /** What the sender says of its target is about the proxy; the server must see its own name. */
  #ownNames(incoming: IncomingMessage): Record<string, string> {
    const own = new URL(this.origin)
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(incoming.headers)) {
      if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
    }
    if (headers['host'] === own.host) headers['host'] = this.#upstream.host
    if (headers['origin'] === own.origin) headers['origin'] = this.#upstream.origin
    return headers
  }

  #mutatorFor({ headers }: ProxyRequest, issued?: string): MessageMutator {
    const key = issued ?? headers['mcp-session-id'] ?? ''
    const known = this.#mutators.get(key)
    if (known !== undefined) return known
    const transport: WireTransport = 'http'
    const mutator = new MessageMutator(this.#fault, transport, this.#peer)
    this.#mutators.set(key, mutator)
    return mutator
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#sockets.add(socket)
    // A client that asks for a WebSocket may go before it is answered.
    socket.on('error', () => undefined)
    const { webSocket = {} } = this.#fault
    if (this.#isDead) {
      socket.destroy()
      return
    }
    if (webSocket.path !== undefined) request.url = webSocket.path(request.url ?? '/')
    const isRaw = Boolean(webSocket.path ?? webSocket.diesOnClose ?? webSocket.dropsFragments)
    if (isRaw || (this.#fault.webSocket === undefined && !MessageMutator.isNeeded(this.#fault))) {
      this.#tunnel(request, socket, head)
      return
    }
    void this.#refusal(request).then((refusal) => {
      if (refusal !== undefined) {
        socket.end(refusal)
        return
      }
      this.#webSockets.handleUpgrade(request, socket, head, (near) => {
        this.#join(near, request)
      })
    })
  }

  /** The head of the response by which the server refuses an upgrade; undefined if it takes it. */
  async #refusal(request: IncomingMessage): Promise<string | undefined> {
    if (this.#side === 'client' || this.#fault.webSocket?.admitsAll === true) return undefined
    const { hostname, port } = this.#upstream
    const asked = send({
      host: hostname,
      port,
      path: request.url,
      headers: this.#ownNames(request),
      agent: false,
    })
    return new Promise((resolve) => {
      asked.once('upgrade', (_response, socket) => {
        socket.on('error', () => undefined)
        socket.destroy()
        resolve(undefined)
      })
      asked.once('response', ({ statusCode = 502, statusMessage = '' }) => {
        asked.destroy()
        resolve(`HTTP/1.1 ${statusCode} ${statusMessage}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
      })
      asked.on('error', () => resolve('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n'))
      asked.end()
    })
  }

  /** Passes the bytes of a WebSocket through. */
  #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { diesOnClose, dropsFragments } = this.#fault.webSocket ?? {}
    const far = connect(Number(this.#upstream.port), this.#upstream.hostname)
    this.#sockets.add(far)
    const headers = Object.entries(this.#ownNames(request)).map(([name, value]) => `${name}: ${value}`)
    far.write(
      `${[`${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`,
    )
    far.write(head)
    const pass = (from: Duplex, to: Duplex, changes: (first: number) => 'pass' | 'drop' | 'die') => {
      from.on('data', (bytes: Buffer) => {
        const verdict = changes(bytes[0] ?? 0)
        if (verdict === 'pass') to.write(bytes)
        else if (verdict === 'die') for (const each of [from, to]) each.destroy()
      })
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
    const isClosing = (first: number) => (first & 0x0f) === 0x8
    // The head of the response begins with a letter, a frame that is the last of its message with the top bit.
    const isFragment = (first: number) => (first & 0x80) === 0 && (first & 0x0f) < 0x3 && first < 0x20
    pass(socket, far, (first) => (diesOnClose === true && isClosing(first) ? 'die' : 'pass'))
    pass(far, socket, (first) => (dropsFragments === true && isFragment(first) ? 'drop' : 'pass'))
  }

  #join(near: WebSocket, request: IncomingMessage): void {
    const { authorization } = request.headers
    const far = new WebSocket(`ws://${this.#upstream.host}${request.url ?? '/'}`, 'mcp', {
      perMessageDeflate: false,
      ...(authorization !== undefined && { headers: { authorization } }),
    })
    const mutator = new MessageMutator(this.#fault, 'websocket', this.#peer)
    const opened = once(far, 'open')
    opened.catch(() => {
      near.terminate()
    })
    const pass = (from: WebSocket, to: WebSocket, direction: Direction) => {
      from.on('message', (data, isBinary) => {
        const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0)
        const { readsBinary, unwrapsArrays, diesAbove = Infinity } = this.#fault.webSocket ?? {}
        if (bytes.length > diesAbove) {
          this.#isDead = true
          for (const socket of this.#sockets) socket.destroy()
          return
        }
        const isKept = isBinary && readsBinary !== true
        if (unwrapsArrays === true && bytes[0] === 0x5b) {
          const items = JSON.parse(bytes.toString()) as unknown[]
          void opened.then(() => {
            for (const item of items) to.send(JSON.stringify(item))
          })
          return
        }
        const pieces = isKept
          ? [bytes]
          : mutator.change(direction, bytes, {
              reply: (piece) => {
                from.send(piece, { binary: false })
              },
              crash: () => {
                near.terminate()
              },
            })
        const send = () => {
          for (const piece of pieces) to.send(piece, { binary: isKept })
        }
        opened.then(send, () => undefined)
      })
      from.on('error', () => to.terminate())
      from.on('close', (code, reason) => {
        if (code >= 1000 && code < 5000 && ![1004, 1005, 1006, 1015].includes(code)) to.close(code, reason)
        else to.terminate()
      })
    }
    const isServers = this.#side === 'server'
    pass(near, far, isServers ? 'incoming' : 'outgoing')
    pass(far, near, isServers ? 'outgoing' : 'incoming')
  }
}
