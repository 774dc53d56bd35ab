import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Admitted, Refused } from './authorization-port.ts'
import { accepts, acceptFault, bodyFault, collectBody } from './listener-body.ts'
import type { ListenerDispatch } from './listener-dispatch.ts'
import type { Door } from './listener-door.ts'
import { ListenerExchange } from './listener-exchange.ts'
import { corsHeaders, preflightHeaders, PUBLIC_HEADERS } from './listener-guards.ts'
import type { Route, RouteTable } from './listener-routes.ts'
import type { SseRoute } from './sse-server-route.ts'
import type { Tap } from './tap.ts'
import { UPGRADE_REQUIRED } from './websocket-upgrade.ts'

export type FrontOptions = {
  readonly routes: RouteTable
  readonly door: Door
  readonly dispatch: ListenerDispatch
  readonly sse: SseRoute | undefined
  readonly tap: Tap
  readonly messageBytes: number
}

/**
 * What every HTTP request goes through. The order of the checks is part of the defence (specification: Streamable
 * HTTP, security): method, Host, Origin, path, token, then type and size; nothing of a foreign page's request is even
 * parsed.
 */
export class ListenerFront {
  /** Connections are not kept any more. */
  isClosing = false
  readonly #options: FrontOptions
  #exchanges = 0

  constructor(options: FrontOptions) {
    this.#options = options
  }

  /** One HTTP request and its response, for the tap and for the routes. */
  exchange(request: IncomingMessage, response: ServerResponse): ListenerExchange {
    this.#exchanges += 1
    const exchange = new ListenerExchange(request, response, this.#exchanges, this.#options.tap)
    response.on('error', () => undefined)
    if (this.isClosing) exchange.always['connection'] = 'close'
    return exchange
  }

  serve(exchange: ListenerExchange): void {
    const { routes, door } = this.#options
    const { method = '', url = '' } = exchange.request
    const route = routes.find(url)
    if (route === undefined) {
      this.#elsewhere(exchange, method, url)
      return
    }
    if (!route.methods.has(method)) {
      exchange.sendPlain(405, `Method ${method} is not served here`, { allow: route.allow })
      return
    }
    const foreign = door.refuseForeign(exchange.request)
    if (foreign !== undefined) {
      exchange.refuse(foreign)
      return
    }
    this.#allowPage(exchange)
    if (method === 'OPTIONS') {
      exchange.sendPlain(204, '', preflightHeaders(exchange.request))
      return
    }
    const admission = door.admit(exchange.request, route.path)
    if (admission instanceof Promise) {
      void admission.then((decided) => {
        if (!exchange.response.destroyed) this.#enter(exchange, route, decided)
      })
    } else this.#enter(exchange, route, admission)
  }

  /** What is no route: a public document, or nothing. */
  #elsewhere(exchange: ListenerExchange, method: string, url: string): void {
    const { routes, door } = this.#options
    const document = door.document(url.split('?')[0] ?? url)
    const { anywhere } = routes
    if (document === undefined && !anywhere.methods.has(method)) {
      exchange.sendPlain(405, `Method ${method} is not served here`, { allow: anywhere.allow })
      return
    }
    const refused =
      document === undefined ? door.refuseForeign(exchange.request) : door.refuseHost(exchange.request)
    if (refused !== undefined) exchange.refuse(refused)
    else if (document !== undefined) sendDocument(exchange, method, document)
    else {
      this.#allowPage(exchange)
      exchange.sendPlain(404, `Not found: MCP is served at ${routes.list}`)
    }
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
    const { method } = exchange.request
    const { dispatch, sse } = this.#options
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
    const { dispatch, sse, messageBytes } = this.#options
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

function tooLarge(exchange: ListenerExchange, messageBytes: number): void {
  const reason = `The body is over the limit of ${messageBytes} bytes (messageBytes)`
  exchange.sendPlainUnread(413, reason)
}

function listen(exchange: ListenerExchange, dispatch: ListenerDispatch): void {
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
