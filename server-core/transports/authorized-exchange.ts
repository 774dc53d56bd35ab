import { Readable } from 'node:stream'
import type { Limits } from '../protocol/limits.ts'
import { MAX_CHALLENGES, type ClientAuthorization } from './client-authorization.ts'
import { TransportError } from './contract.ts'
import { replyFailure } from './http-failure.ts'
import type { HttpReader } from './http-reader.ts'
import { readBody, refusedReply, type HttpCall, type HttpReply, type HttpWire } from './http-wire.ts'

export type AuthorizedParts = {
  readonly wire: HttpWire
  readonly reader: HttpReader
  readonly limits: Limits
  readonly authorization: ClientAuthorization
  /** Stops the clocks of the requests that wait for the authorization; gives what lets them run again. */
  readonly hold: () => () => void
}

/**
 * Sends a request with the headers of an authorization. A refusal (401, 403) goes to the authorization, and the
 * request is sent again as often as that helps, within `MAX_CHALLENGES`. Throws a `TransportError`: `unauthorized`
 * with the authorization's own reason if it failed.
 */
export async function authorizedExchange(call: HttpCall, parts: AuthorizedParts): Promise<HttpReply> {
  const { wire, reader, limits, authorization, hold } = parts
  const request = { method: call.method, url: wire.url }
  for (let challenges = 0; ; challenges += 1) {
    let own: Readonly<Record<string, string>>
    try {
      own = await authorization.headers(request)
    } catch (cause) {
      throw unauthorized(wire.url, cause)
    }
    const reply = await wire.exchange({ ...call, headers: { ...call.headers, ...own } })
    authorization.responded?.(reply.headers)
    if ((reply.status !== 401 && reply.status !== 403) || challenges === MAX_CHALLENGES) return reply
    // The answer may take a person minutes, longer than the server keeps the connection.
    const bytes = await readBody(reply, wire.url, limits)
    const release = hold()
    try {
      const { status, headers } = reply
      if (!(await authorization.challenged({ ...request, status, headers })))
        return { ...reply, body: Readable.from([bytes]) }
    } catch (cause) {
      reader.refused(reply, bytes)
      const error = replyFailure('unauthorized', reasonOf(cause), refusedReply(reply, wire.url, bytes))
      throw new TransportError(error.code, error.message, error.evidence, { cause })
    } finally {
      release()
    }
    reader.refused(reply, bytes)
  }
}

function unauthorized(url: string, cause: unknown): TransportError {
  return new TransportError('unauthorized', reasonOf(cause), { url }, { cause })
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
