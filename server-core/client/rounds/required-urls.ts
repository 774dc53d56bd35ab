import { ErrorCode } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { TransportError } from '../../ports/contract.ts'
import type { Answering } from '../answers/answering.ts'
import { QuestionWithdrawn } from '../answers/question-withdrawn.ts'
import { RequestFailedError, type PeerError } from '../errors.ts'
import type { Events } from '../events.ts'

/** Milliseconds that the user has for all pages together. */
const VISIT_MS = 600_000

export type Visits = {
  readonly answering: Answering
  readonly events: Events
  readonly closed: Promise<TransportError>
  readonly signal: AbortSignal | undefined
}

/** The elicitations by URL that an error of 2025-11-25 says must be done first (elicitation: URL mode required error). */
export function requiredUrls({ code, data }: PeerError): readonly JsonObject[] {
  const listed = code === ErrorCode.urlElicitationRequired && isJsonObject(data) ? data['elicitations'] : []
  const elicitations: readonly unknown[] = Array.isArray(listed) ? listed : []
  return elicitations.filter(isJsonObject).filter(({ elicitationId }) => typeof elicitationId === 'string')
}

/**
 * Has the user visit the pages, and waits until the server says that they are done. Throws the error that asked for it
 * if the user does not agree, and a `RequestFailedError` if it takes too long, is given up, or the connection ends.
 */
export async function visitUrls(
  elicitations: readonly JsonObject[],
  error: PeerError,
  visits: Visits,
): Promise<void> {
  const { answering, events, closed, signal: given } = visits
  const open = new Set(elicitations.map(({ elicitationId }) => elicitationId))
  const over = new AbortController()
  const done = Promise.withResolvers<void>()
  const giveUp = (code: 'timeout' | 'cancelled' | 'closed', reason: string): void => {
    over.abort(new QuestionWithdrawn(code === 'closed' ? 'connection' : 'call'))
    done.reject(new RequestFailedError(code, reason, { cause: error }))
  }
  const onAbort = (): void => giveUp('cancelled', 'the request was cancelled before the page was done')
  given?.addEventListener('abort', onAbort, { once: true })
  const late = (): void =>
    giveUp('timeout', `the server did not say within ${VISIT_MS} ms that the page was done`)
  const timer = setTimeout(late, VISIT_MS)
  const stop = events.on('elicitationComplete', ({ elicitationId }) => {
    open.delete(elicitationId)
    if (open.size === 0) done.resolve()
  })
  void closed.then(({ message }) =>
    giveUp('closed', `the connection ended before the page was done: ${message}`),
  )
  const ask = async (params: JsonObject): Promise<void> => {
    const asked = { signal: over.signal, bytes: error.bytes }
    const { action } = await answering.answer('elicitation/create', { mode: 'url', ...params }, asked)
    if (action !== 'accept') throw error
  }
  try {
    await Promise.all([done.promise, ...elicitations.map(ask)])
  } finally {
    clearTimeout(timer)
    given?.removeEventListener('abort', onAbort)
    stop()
    over.abort()
  }
}
