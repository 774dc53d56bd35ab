import type { IncomingHttpHeaders } from 'node:http'
import type { Admitted, Authorization, Refused } from '../ports/authorization-port.ts'
import type { HttpRequest } from './http-exchange.ts'
import { HostGuard, isRepeated, OriginGuard } from './origin-guard.ts'

export type AccessGuardOptions = {
  /** Address the listener is bound to, and its port. */
  readonly host: string
  readonly port: number
  /** Host names beside the loopback ones. */
  readonly allowedHosts: readonly string[]
  /** Origins of pages that may connect, beside the listener's own. */
  readonly allowedOrigins: readonly string[]
  readonly authorization: Authorization
  /** Returns why nothing is served just now; undefined while something is. */
  readonly off?: (headers: Readonly<IncomingHttpHeaders>) => string | undefined
}

/** Seconds after which a client may look whether the server is on again. */
const OFF_HEADERS = { 'retry-after': '60' }

/**
 * What every request and every upgrade passes before anything of it is parsed, whatever its route (specification:
 * Streamable HTTP, security): first Host, then Origin, then the token.
 */
export class AccessGuard {
  readonly #hosts: HostGuard
  readonly #origins: OriginGuard
  readonly #authorization: Authorization
  readonly #off: AccessGuardOptions['off']

  constructor({ host, port, allowedHosts, allowedOrigins, authorization, off }: AccessGuardOptions) {
    const { hosts = [], origins = [] } = authorization.publicNames ?? {}
    this.#hosts = new HostGuard(host, [...allowedHosts, ...hosts])
    this.#origins = new OriginGuard(port, [...allowedOrigins, ...origins])
    this.#authorization = authorization
    this.#off = off
  }

  /** Refuses what was addressed to another name: DNS rebinding, and targets that name a host of their own. */
  refuseHost(request: HttpRequest): Refused | undefined {
    if (!this.#hosts.allows(request)) {
      return { status: 403, reason: 'Forbidden: this Host is not served here' }
    }
    if (request.url?.startsWith('/') !== true) {
      return { status: 403, reason: 'Forbidden: expected a path as the target of the request' }
    }
    return undefined
  }

  /** Refuses what pages of other origins send. */
  refuseOrigin(request: HttpRequest): Refused | undefined {
    if (this.#origins.allows(request)) return undefined
    const { origin } = request.headers
    const whose = origin === undefined ? 'other sites' : origin
    return {
      status: 403,
      reason: `Forbidden: pages of ${whose} may not connect; add the origin to allow it`,
    }
  }

  /** Both of the above, for what has no public documents. */
  refuseForeign(request: HttpRequest): Refused | undefined {
    return this.refuseHost(request) ?? this.refuseOrigin(request)
  }

  /** Refuses everything while the server is switched off. To be asked about admitted callers only. */
  refuseWhileOff({ headers }: HttpRequest): Refused | undefined {
    const reason = this.#off?.(headers)
    return reason === undefined ? undefined : { status: 503, reason, headers: OFF_HEADERS }
  }

  /** Identifies the caller. Never rejects. */
  admit(request: HttpRequest, path: string): Admitted | Refused | Promise<Admitted | Refused> {
    const { authorization } = request.headers
    if (authorization !== undefined && isRepeated(request, 'authorization')) {
      return { status: 400, reason: 'Bad request: expected one Authorization header' }
    }
    return this.#authorization.admit(authorization, path)
  }

  stillAdmits(caller: string): boolean {
    return this.#authorization.stillAdmits(caller)
  }

  /** Returns why an admitted caller may not send this message. */
  refuseMessage(admitted: Admitted, message: unknown, path: string): Refused | undefined {
    return this.#authorization.refuseMessage?.(admitted, message, path)
  }

  /** The document that anybody may read there. */
  document(path: string): string | undefined {
    return this.#authorization.document?.(path)
  }
}
