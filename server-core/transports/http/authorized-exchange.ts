import { MAX_CHALLENGES, type ClientAuthorization } from '../../ports/client-authorization.ts'
import { TransportError, type ClientReceiver } from '../../ports/contract.ts'
import type { HttpReply } from './http-exchange.ts'
import { replyFailure } from './http-failure.ts'
import { refusedReply, type HttpCall, type HttpWire } from './http-wire.ts'
import type { Tap } from '../../ports/tap.ts'
import { messageOf } from '../../protocol/error-message.ts'

type AuthorizedParts = {
  readonly wire: HttpWire
  readonly tap: Tap
  readonly authorization: ClientAuthorization
  /** Stops the clocks of the requests that wait for the authorization; returns what lets them run again. */
  readonly hold: () => () => void
}

/** How a client sends its HTTP requests: as they are, or with an authorization if it has one. */
export function exchangeOver(
  wire: HttpWire,
  tap: Tap,
  receiver: ClientReceiver,
  authorization: ClientAuthorization | undefined,
): (call: HttpCall) => Promise<HttpReply> {
  if (authorization === undefined) return (call) => wire.exchange(call)
  const hold = (): (() => void) => receiver.held?.() ?? nothing
  return (call) => authorizedExchange(call, { wire, tap, authorization, hold })
}

function nothing(): void {}

/**
 * Sends a request with the headers of an authorization. A refusal (401, 403) goes to the authorization, and the
 * request is sent again as often as that helps, within `MAX_CHALLENGES`. Throws a `TransportError`: `unauthorized`
 * with the authorization's own reason if it failed.
 */
async function authorizedExchange(call: HttpCall, parts: AuthorizedParts): Promise<HttpReply> {
  const { wire, tap, authorization, hold } = parts
  const request = { method: call.method, url: wire.urlOf(call) }
  for (let challenges = 0; ; challenges += 1) {
    const own = await authorization.headers(request).catch((cause: unknown) => {
      throw new TransportError('unauthorized', reasonOf(cause), { url: request.url }, { cause })
    })
    const reply = await wire.exchange({ ...call, headers: { ...call.headers, ...own } })
    const { status, headers } = reply
    authorization.responded?.(headers, status)
    if ((status !== 401 && status !== 403) || challenges === MAX_CHALLENGES) return reply
    const release = hold()
    try {
      if (!(await authorization.challenged({ ...request, status, headers, sent: own }))) return reply
    } catch (cause) {
      tap.record({ kind: 'http', direction: 'received', bytes: reply.body, http: reply.facts })
      throw replyFailure('unauthorized', reasonOf(cause), refusedReply(reply), { cause })
    } finally {
      release()
    }
    tap.record({ kind: 'http', direction: 'received', bytes: reply.body, http: reply.facts })
  }
}

function reasonOf(cause: unknown): string {
  return messageOf(cause)
}
