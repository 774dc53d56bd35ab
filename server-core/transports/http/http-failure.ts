import { bodyEvidence } from './body-evidence.ts'
import { TransportError, type TransportErrorCode, type TransportEvidence } from '../../ports/contract.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** What came back instead of an answer. */
export type RefusedReply = {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly afterMs: number
}

/** An HTTP reply that is not an answer to the message, with everything that helps to see why. */
export function replyFailure(
  code: TransportErrorCode,
  message: string,
  reply: RefusedReply,
  options?: ErrorOptions,
): TransportError {
  const { url, status, headers, body, afterMs } = reply
  const evidence = { url, httpStatus: status, httpHeaders: headers, httpBody: bodyEvidence(body), afterMs }
  return new TransportError(code, message, evidence, options)
}

/**
 * Names the failure of an HTTP status that is not a success. `said` is the message of a JSON-RPC error in the body, if
 * there was one.
 */
export function statusFailure(reply: RefusedReply, said?: string): TransportError {
  const { status, headers, url } = reply
  const saying = said === undefined ? '' : `: ${said}`
  if (status === 401) {
    return replyFailure(
      'unauthorized',
      `the server asks for authorization (HTTP 401)${saying}; add a bearer token or header`,
      reply,
    )
  }
  if (isHostCheck(reply, said)) {
    return replyFailure(
      'host-refused',
      `the server does not accept requests addressed to ${hostOf(url)} (HTTP ${status})${saying}`,
      reply,
    )
  }
  if (status === 403)
    return replyFailure('unauthorized', `the server refuses access (HTTP 403)${saying}`, reply)
  if (status >= 300 && status < 400) {
    const target = headers['location']
    const where = target === undefined ? 'elsewhere' : `to ${target}`
    const why = 'redirects are not followed to another origin, nor where the method would change'
    return replyFailure(
      'http-status',
      `the address redirects ${where} (HTTP ${status}); ${why}; use that address if you trust it`,
      reply,
    )
  }
  if (said === undefined && status === 404) {
    return replyFailure(
      'http-status',
      `nothing answers MCP at ${url} (HTTP 404); check the path, it often ends in /mcp`,
      reply,
    )
  }
  return replyFailure('http-status', `expected an answer, got HTTP ${status}${saying}`, reply)
}

/**
 * Whether a refusal comes from a check of the Host or Origin header, the defence against DNS rebinding (specification:
 * Streamable HTTP, security). Authorization is refused with a challenge; such a check has none and names the header.
 */
function isHostCheck({ status, headers, body }: RefusedReply, said?: string): boolean {
  if (status === 421) return true
  if (status !== 403 || headers['www-authenticate'] !== undefined) return false
  return /\b(host|origin|rebinding)\b/i.test(said ?? bodyEvidence(body))
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

const CERTIFICATE_CODES =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|CRL_|ERROR_IN_CERT|INVALID_CA|PATH_LENGTH_EXCEEDED)/

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused; nothing listens there',
  ENOTFOUND: 'the host name was not found',
  EAI_AGAIN: 'the host name could not be looked up; is there a network?',
  ECONNRESET: 'the connection was cut by the other side',
  UND_ERR_SOCKET: 'the connection was cut by the other side',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  ETIMEDOUT: 'no connection came about in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EPROTO: 'the other side does not speak TLS; is it http:// instead of https://?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the other side does not speak TLS; is it http:// instead of https://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the other side does not speak TLS; is it http:// instead of https://?',
}

/** Names the failure of an exchange that got no reply: refused, cut, not found, certificate, not HTTP. */
export function connectionFailure(cause: unknown, url: string, afterMs: number): TransportError {
  if (cause instanceof TransportError) return cause
  const systemCode = codeOf(cause)
  const evidence: TransportEvidence = { url, afterMs, ...(systemCode === undefined ? {} : { systemCode }) }
  const detail = messageOf(cause)
  if (systemCode !== undefined && CERTIFICATE_CODES.test(systemCode)) {
    return new TransportError(
      'certificate',
      `the certificate of ${url} is not accepted: ${withoutAdvice(detail)} (${systemCode})`,
      evidence,
      { cause },
    )
  }
  const isParserError = cause instanceof Error && cause.name === 'HTTPParserError'
  if (isParserError || systemCode?.startsWith('HPE_') === true) {
    return new TransportError('not-mcp', `what listens at ${url} does not speak HTTP: ${detail}`, evidence, {
      cause,
    })
  }
  if (systemCode === 'UND_ERR_INVALID_ARG') {
    const message = `the request to ${url} cannot be sent: ${detail}`
    return new TransportError('connection-failed', message, evidence, { cause })
  }
  const explained = systemCode === undefined ? undefined : EXPLANATIONS[systemCode]
  const reason = explained === undefined ? detail : `${explained} (${systemCode})`
  return new TransportError('connection-failed', `${url} did not answer: ${reason}`, evidence, { cause })
}

/** Node ends some messages with a flag of its own, which nobody can give to a started Patchbay. */
function withoutAdvice(detail: string): string {
  return detail.replace(/; if the root CA is installed locally.*$/, '')
}

/** The system's or library's code, looked for through causes and the attempts of a connection to several addresses. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 4) return undefined
  const attempts = error instanceof AggregateError ? (error.errors as readonly unknown[]) : []
  for (const inner of [error.cause, ...attempts]) {
    const code = codeOf(inner, depth + 1)
    if (code !== undefined) return code
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
