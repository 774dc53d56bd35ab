import type { GuardedFetch, GuardedResponse } from '../../network/guarded-fetch.ts'
import { CallError } from './call-error.ts'
import { buildRequest, type RequestParts } from './request.ts'
import type { Security } from './security.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Sends the requests of one operation. */
export class Caller {
  readonly #parts: RequestParts
  readonly #fetch: GuardedFetch
  readonly #security: Security

  constructor(parts: RequestParts, fetch: GuardedFetch, security: Security) {
    this.#parts = parts
    this.#fetch = fetch
    this.#security = security
  }

  /** The operation in words. */
  get what(): string {
    const { method, path } = this.#parts.operation
    return `${method.toUpperCase()} ${path}`
  }

  /**
   * Sends the request for these arguments; again where a token was refused that can be renewed. Rejects with a
   * `CallError`, or with the reason of the signal.
   */
  call(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<GuardedResponse> {
    return this.#send(args, signal, true)
  }

  /** What an answer that refuses is explained with: credentials that are not there. */
  hint({ status }: GuardedResponse): string {
    if (status !== 401 && status !== 403) return ''
    const missing = this.#security.missing(this.#parts.operation.security)
    if (missing.length === 0) return ''
    const schemes = missing.map((scheme) => `"${scheme}"`).join(' and ')
    return `\nIts document asks for ${schemes}, for which the configuration has no credentials.`
  }

  async #send(
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    mayRenew: boolean,
  ): Promise<GuardedResponse> {
    let secrets: readonly string[] = []
    try {
      const admission = await this.#security.admit(this.#parts.operation.security)
      secrets = admission.secrets
      const { url, request } = buildRequest(this.#parts, args, admission)
      const answer = await this.#fetch(url, { ...request, signal })
      if (answer.status !== 401 || !mayRenew || !admission.renew()) return answer
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof CallError) throw error
      const reason = messageOf(error)
      throw new CallError('unreachable', `${this.what} could not be asked: ${without(reason, secrets)}`)
    }
    return this.#send(args, signal, false)
  }
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => (secret === '' ? masked : masked.replaceAll(secret, '•••')), text)
}
