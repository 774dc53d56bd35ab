import { countText } from '../protocol/count-text.ts'
import type { HttpRequest, HttpResponse } from './http-exchange.ts'
import { overLimit } from '../protocol/limit-error.ts'
import type { Limits } from '../protocol/limits.ts'
import type { Admitted, Refused } from '../ports/authorization-port.ts'
import { accepts, acceptFault, bodyFault, collectBody } from './request-body.ts'
import type { Dispatch } from './dispatch.ts'
import type { AccessGuard } from './access-guard.ts'
import { isAfterTheLast, ListenerExchange } from './listener-exchange.ts'
import { moveTokenToHeader } from './token-in-path.ts'
import { corsHeaders, preflightHeaders, PUBLIC_HEADERS } from './origin-guard.ts'
import type { Route, RouteTable } from './routes.ts'
import type { RequestRates } from './request-rates.ts'
import type { SseRoute } from './sse-server-route.ts'
import type { Tap } from '../ports/tap.ts'
import { asksForWebSocket, UPGRADE_REQUIRED } from './websocket-upgrade.ts'

export type RequestPipelineOptions = {
  readonly routes: RouteTable
  readonly guard: AccessGuard
  readonly dispatch: Dispatch
  readonly sse: SseRoute | undefined
  readonly rates: RequestRates
  readonly tap: Tap
  readonly limits: Limits
  readonly tokensInPath: boolean
}

/**
 * What every HTTP request goes through. The order of the checks is part of the defence (specification: Streamable
 * HTTP, security): Host, Origin, method, path, token, then type and size; nothing of a foreign page's request is even
 * parsed.
 */
export class RequestPipeline {
  /** Connections are not kept any more. */
  isClosing = false
  readonly #options: RequestPipelineOptions
  #exchanges = 0

  constructor(options: RequestPipelineOptions) {
    this.#options = options
  }

  /** One HTTP request and its response, for the tap and for the routes. */
  exchange<Request extends HttpRequest, Response extends HttpResponse>(
    request: Request,
    response: Response,
  ): ListenerExchange<Request, Response> {
    this.#exchanges += 1
    if (this.#options.tokensInPath) moveTokenToHeader(request)
    const exchange = new ListenerExchange(request, response, this.#exchanges, this.#options.tap)
    response.on('error', ignore)
    if (this.isClosing) exchange.always['connection'] = 'close'
    return exchange
  }

  serve(exchange: ListenerExchange): void {
    const { routes, guard: guard } = this.#options
    const { request } = exchange
    if (isAfterTheLast(request)) {
      if (!('body' in request)) request.resume()
      return
    }
    const { method = '', url = '' } = request
    const route = routes.find(url)
    const document = route === undefined ? guard.document(url.split('?')[0] ?? url) : undefined
    const refused = document === undefined ? guard.refuseForeign(request) : guard.refuseHost(request)
    if (refused !== undefined) exchange.refuse(refused)
    else if (document !== undefined) sendDocument(exchange, method, document)
    else this.#route(exchange, method, route)
  }

  #route(exchange: ListenerExchange, method: string, route: Route | undefined): void {
    const { routes, guard: guard } = this.#options
    const { request } = exchange
    const { methods, allow } = route ?? routes.anywhere
    if (request.httpVersionMajor !== 1) {
      exchange.sendPlain(505, 'HTTP/1.1 is spoken here', { connection: 'close' })
      return
    }
    if (!methods.has(method)) {
      exchange.sendPlain(405, `Method ${method} is not served here`, { allow })
      return
    }
    this.#allowPage(exchange)
    if (route === undefined) {
      exchange.sendPlain(404, `Not found: MCP is served at ${routes.list}`)
      return
    }
    if (method === 'OPTIONS') {
      exchange.sendPlain(204, '', preflightHeaders(request))
      return
    }
    const admission = guard.admit(request, route.entry)
    if (admission instanceof Promise) {
      void admission.then((decided) => {
        if (!exchange.response.destroyed) this.#enter(exchange, route, decided)
      })
    } else this.#enter(exchange, route, admission)
  }

  #allowPage(exchange: ListenerExchange): void {
    const { origin } = exchange.request.headers
    if (origin !== undefined) Object.assign(exchange.always, corsHeaders(origin))
  }

  #enter(exchange: ListenerExchange, route: Route, admission: Admitted | Refused): void {
    if ('status' in admission) {
      exchange.refuse(admission)
      return
    }
    exchange.admitted = admission
    const off = this.#options.guard.refuseWhileOff(exchange.request)
    if (off !== undefined) {
      exchange.refuse(off)
      return
    }
    const { dispatch, sse, rates, routes } = this.#options
    if (!rates.admits(exchange)) return
    const { method } = exchange.request
    if (method === 'GET' && route.name !== 'ws' && asksForWebSocket(exchange.request)) {
      // Ignored, it would get an event stream, and its sender would wait for a handshake that never ends.
      const where =
        routes.urls.ws === undefined ? 'none is served on this port' : `open it at ${routes.urls.ws}`
      exchange.sendPlain(400, `No WebSocket is opened at ${route.path}: ${where}`, { connection: 'close' })
      return
    }
    switch (route.name) {
      case 'mcp':
        if (method === 'POST') this.#body(exchange, true)
        else if (method === 'GET') listen(exchange, dispatch)
        else dispatch.end(exchange, admission.caller)
        break
      case 'sse':
        sse?.open(exchange)
        break
      case 'messages':
        this.#body(exchange, false)
        break
      case 'ws':
        exchange.sendPlain(UPGRADE_REQUIRED.status, UPGRADE_REQUIRED.reason, UPGRADE_REQUIRED.headers)
    }
  }

  /** Reads the body of a POST to `/mcp`, or else to `/messages`. */
  #body(exchange: ListenerExchange, streamable: boolean): void {
    const { dispatch, sse, limits } = this.#options
    const { messageBytes } = limits
    const { request } = exchange
    const fault = bodyFault(request) ?? (streamable ? acceptFault(request) : undefined)
    if (fault !== undefined) {
      exchange.sendPlain(fault.status, fault.reason)
      return
    }
    if (Number(request.headers['content-length'] ?? 0) > messageBytes) {
      tooLarge(exchange, messageBytes)
      return
    }
    if (exchange.awaitsContinue) exchange.response.writeContinue()
    collectBody(request, messageBytes, (body) => {
      if ('bytes' in body) {
        if (streamable) dispatch.post(exchange, body.bytes, exchange.admitted.caller)
        else sse?.post(exchange, body.bytes)
      } else if (body.missing === 'too-large') tooLarge(exchange, messageBytes)
    })
  }
}

/** The response's 'close' reports what there is to tell. */
function ignore(): void {
  return undefined
}

function tooLarge(exchange: ListenerExchange, messageBytes: number): void {
  const error = overLimit(
    'messageBytes',
    messageBytes,
    `the body has more than ${countText(messageBytes)} bytes`,
  )
  exchange.sendErrorUnread(413, error)
}

function listen(exchange: ListenerExchange, dispatch: Dispatch): void {
  if (dispatch.hasSessions && !accepts(exchange.header('accept'), 'text/event-stream')) {
    exchange.sendPlain(406, 'A GET opens a stream: Accept must list text/event-stream')
  } else if (dispatch.hasSessions && exchange.header('mcp-session-id') === undefined) {
    exchange.sendPlain(405, 'A GET needs a session: only sessions have a stream of their own', {
      allow: 'POST',
    })
  } else dispatch.sessionFor(exchange, exchange.admitted.caller)?.listen(exchange)
}

/** Documents about the authorization may be read by every page (RFC 9728; they hold no secret). */
function sendDocument(exchange: ListenerExchange, method: string, document: string): void {
  Object.assign(exchange.always, PUBLIC_HEADERS)
  if (method === 'GET' || method === 'HEAD') exchange.sendDocument(document)
  else if (method === 'OPTIONS') {
    exchange.sendPlain(204, '', {
      'access-control-allow-headers': '*',
      'access-control-allow-methods': 'GET',
    })
  } else exchange.sendPlain(405, 'This document can be read only', { allow: 'GET, HEAD, OPTIONS' })
}
