import { PeerError, RequestFailedError } from '../../client/errors.ts'
import { parseExact, stringifyExact } from '../../protocol/exact-json.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { TrafficLog } from '../../traffic/traffic-log.ts'
import type { RequestOutcome } from '../contract/inspect.ts'
import type { EventHub } from '../events/event-hub.ts'
import { HostError } from '../host-error.ts'
import type { LiveServer } from '../servers/live-server.ts'
import type { OutputChecks } from './output-checks.ts'

export type Call = {
  readonly serverId: string
  readonly callId: string
  readonly method: string
  readonly paramsText: string
  readonly timeoutMs?: number | undefined
}

/** What the inbox has to do with calls. */
export type CallQuestions = {
  /** How many questions of a server wait for an answer. */
  readonly open: (serverId: string) => number
  /** A call failed because addresses are to be visited first (2025-11-25: -32042). */
  readonly urlRequired: (
    call: Pick<Call, 'serverId' | 'callId'>,
    failed: { readonly revision: Revision; readonly bytes: Uint8Array; readonly data: unknown },
  ) => Promise<void>
}

/** Requests that pages send by hand on open connections: each has a name, by which it is cancelled. */
export class Calls {
  readonly #inFlight = new Map<string, AbortController>()
  readonly #traffic: TrafficLog
  readonly #events: EventHub
  readonly #outputChecks: OutputChecks
  readonly #questions: CallQuestions

  constructor(traffic: TrafficLog, events: EventHub, outputChecks: OutputChecks, questions: CallQuestions) {
    this.#traffic = traffic
    this.#events = events
    this.#outputChecks = outputChecks
    this.#questions = questions
  }

  /**
   * Sends one request and gives whatever became of it.
   *
   * @throws HostError `NOT_CONNECTED`, `INVALID_PARAMS` or `CALL_IN_PROGRESS`; then nothing was sent
   */
  async request(live: LiveServer, call: Call, signal: AbortSignal | undefined): Promise<RequestOutcome> {
    const { connection } = live
    if (connection === undefined) {
      throw new HostError('NOT_CONNECTED', 'There is no open connection to this server. Connect it first.')
    }
    if (this.#inFlight.has(call.callId)) {
      throw new HostError('CALL_IN_PROGRESS', `A call named ${call.callId} is still going on.`)
    }
    const params = readParams(call.paramsText)
    const abort = new AbortController()
    // The page that asked is gone: nobody waits for the answer. But where its server asks something, that can still be
    // answered from the page that comes next.
    const give = (): void => {
      if (this.#questions.open(call.serverId) === 0) abort.abort()
    }
    signal?.addEventListener('abort', give, { once: true })
    this.#inFlight.set(call.callId, abort)
    const startedAt = performance.now()
    const facts = (bytes?: Uint8Array) => {
      const exchangeId = bytes === undefined ? undefined : this.#traffic.exchangeIdOf(bytes)
      return {
        durationMs: performance.now() - startedAt,
        revision: connection.revision,
        ...(exchangeId !== undefined && { exchangeId }),
      }
    }
    try {
      const { result, bytes } = await connection.request(call.method, params, {
        signal: abort.signal,
        // What is sent by hand goes to the server.
        cache: 'off',
        // An error that wants an address visited first is shown as the answer that it is, with an entry in the inbox and
        // the call to make again: not every server tells when the visit is over.
        ...(connection.era === 'legacy' && { rounds: 'manual' }),
        ...(call.timeoutMs !== undefined && { timeoutMs: call.timeoutMs }),
        onProgress: (progress) => {
          this.#events.publish({ type: 'progress', progress: { callId: call.callId, ...progress } })
        },
      })
      const known = facts(bytes)
      live.answered(known.durationMs)
      const taskId =
        call.method === 'tools/call' ? live.inspection.tasks.started(connection, params, result) : undefined
      if (taskId !== undefined)
        return {
          type: 'task',
          ...known,
          messageText: this.#shown(textOf(bytes)),
          bytes: bytes.byteLength,
          taskId,
        }
      const outputCheck = await this.#outputChecks.check(
        call.serverId,
        call.method === 'tools/call' ? params['name'] : undefined,
        result,
      )
      return {
        type: 'result',
        ...known,
        messageText: this.#shown(textOf(bytes)),
        bytes: bytes.byteLength,
        outputCheck,
      }
    } catch (error) {
      if (error instanceof ProtocolError) {
        const bytes = error instanceof PeerError ? error.bytes : undefined
        if (error.code === ErrorCode.urlElicitationRequired && bytes !== undefined) {
          const { revision } = connection
          await this.#questions.urlRequired(call, { revision, bytes, data: error.data })
        }
        live.answered(performance.now() - startedAt)
        return {
          type: 'error',
          ...facts(bytes),
          messageText: this.#shown(
            bytes === undefined ? JSON.stringify({ error: error.toBody() }) : textOf(bytes),
          ),
          bytes: bytes?.byteLength ?? 0,
          code: error.code,
          message: this.#shown(error.message),
          ...(error.data !== undefined && { data: this.#shownValue(error.data) }),
        }
      }
      if (!(error instanceof Error)) throw error
      const code = error instanceof RequestFailedError ? error.code : error.name
      const bytes = error instanceof RequestFailedError ? error.bytes : undefined
      return { type: 'failure', ...facts(bytes), code, message: this.#shown(error.message) }
    } finally {
      signal?.removeEventListener('abort', give)
      this.#inFlight.delete(call.callId)
    }
  }

  /** Gives false if no such call is going on. */
  cancel(callId: string): boolean {
    const abort = this.#inFlight.get(callId)
    abort?.abort()
    return abort !== undefined
  }

  /** An answer is shown as it came, but for secrets of ours that it repeats. */
  #shown(text: string): string {
    return this.#traffic.masking.text(text)
  }

  #shownValue(value: unknown): unknown {
    const text = stringifyExact(value)
    const shown = this.#shown(text)
    if (shown === text) return value
    try {
      return parseExact(shown)
    } catch (error) {
      // A secret that was a number or stood for more than one value: what is left is no JSON, and still safe to show.
      if (error instanceof SyntaxError) return shown
      throw error
    }
  }
}

function readParams(text: string): JsonObject {
  let value: unknown
  try {
    value = parseExact(text.trim() === '' ? '{}' : text, 'text')
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new HostError('INVALID_PARAMS', `The parameters are no JSON: ${detail}`, { cause: error })
  }
  if (!isJsonObject(value)) {
    throw new HostError('INVALID_PARAMS', 'The parameters must be a JSON object, in braces.')
  }
  return value
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
