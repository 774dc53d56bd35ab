import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Tap } from '../../ports/tap.ts'
import { fail, forwardExchange, type ExchangeContext } from './http-exchange.ts'
import type { HttpRules } from './http-rules.ts'
import { isForLoopback, isMetadata } from './own-address.ts'
import { forwardRuled } from './ruled-exchange.ts'
import { forwardUpgrade } from './websocket-exchange.ts'

const LOOPBACK = '127.0.0.1'
const FORBIDDEN = 403

export type HttpTapOptions = {
  /** The server: http, https, ws or wss. */
  readonly url: URL
  /** The port to listen on; any free one if it is 0. */
  readonly port: number
  readonly tap: Tap
  /** Replaces the server's own address by ours in OAuth metadata, `WWW-Authenticate` and `Location`. */
  readonly rewritesMetadata: boolean
  readonly rules?: HttpRules
}

/** A tap that listens. */
export type HttpTap = {
  /** What a client is given in place of the server's address. */
  readonly url: string
  close(): Promise<void>
}

/** Listens on loopback and forwards to a server. Rejects with the system's error if the port is taken. */
export async function startHttpTap({
  url,
  port,
  tap,
  rewritesMetadata,
  rules,
}: HttpTapOptions): Promise<HttpTap> {
  const target = new URL(url)
  if (target.protocol === 'ws:') target.protocol = 'http:'
  if (target.protocol === 'wss:') target.protocol = 'https:'
  const agent = new (target.protocol === 'https:' ? https : http).Agent({ keepAlive: true })
  let exchanges = 0
  let rewrite: ExchangeContext['rewrite']
  const context: ExchangeContext = {
    target,
    agent,
    tap,
    rules,
    get rewrite() {
      return rewrite
    },
    nextExchange: () => {
      exchanges += 1
      return exchanges
    },
  }
  // The server decides how long a request may take.
  const server = http.createServer({ requestTimeout: 0, noDelay: true })
  server.timeout = 0
  const forward = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const isMessage = !isMetadata(request.url ?? '')
    if (isForLoopback(request) && isMessage && rules?.isActive === true)
      void forwardRuled(context, rules, request, response)
    else if (isForLoopback(request)) forwardExchange(context, request, response)
    else
      fail(
        response,
        'The tap is for programs of this machine: expected 127.0.0.1 or localhost as Host.',
        FORBIDDEN,
      )
  }
  server.on('request', forward)
  server.on('checkContinue', forward)
  server.on('upgrade', (request, socket, head) => {
    if (isForLoopback(request)) forwardUpgrade(context, request, socket, head)
    else socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, resolve)
  })
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const own = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`
  if (rewritesMetadata) rewrite = { from: target.origin, to: own }
  const scheme = /^wss?:/.test(url.protocol) ? own.replace('http', 'ws') : own
  return {
    url: `${scheme}${target.pathname}${target.search}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      agent.destroy()
      await closed
    },
  }
}
