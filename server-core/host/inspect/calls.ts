import type { CallWait } from '../inbox/wait-clock.ts'
import { PeerError, RequestFailedError } from '../../client/errors.ts'
import type { Connection } from '../../client/connection.ts'
import { parseExact, stringifyExact } from '../../protocol/exact-json.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { TransportError } from '../../ports/contract.ts'
import type { TrafficLog } from '../../capture/traffic-log.ts'
import type { EndedCall, RequestOutcome, RunningCall } from '../contract/inspect.ts'
import type { EventHub } from '../events/event-hub.ts'
import { HostError } from '../host-error.ts'
import type { LiveServer } from '../servers/live-server.ts'
import { CallHistory } from './call-history.ts'
import type { CallFiles } from '../window-state/call-files.ts'
import type { OutputChecks } from './output-checks.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type Call = {
  readonly serverId: string
  readonly callId: string
  readonly method: string
  readonly paramsText: string
  readonly timeoutMs?: number | undefined
  /** The tab that shows the call, and what was typed there. */
  readonly tab?: string | undefined
  readonly argumentsText?: string | undefined
}

/** What calls need to know of the inbox. */
export type CallQuestions = {
  /** Starts to measure how long a call of a server waits for answers to questions. */
  readonly measureWait: (serverId: string) => CallWait
  /** A call failed because addresses are to be visited first (2025-11-25: -32042). */
  readonly urlRequired: (
    call: Pick<Call, 'serverId' | 'callId'>,
    failed: { readonly revision: Revision; readonly bytes: Uint8Array; readonly data: unknown },
  ) => Promise<void>
}

export type CallsOptions = {
  readonly files: CallFiles
  /** Whether traffic of a server is stored: then so are its calls. */
  readonly isRecorded: (serverId: string) => boolean
  readonly traffic: TrafficLog
  readonly events: EventHub
  readonly outputChecks: OutputChecks
  readonly questions: CallQuestions
  /** How many fault rules are on for a server. */
  readonly activeFaults: (serverId: string) => number
}

type Running = {
  readonly call: Call
  readonly at: number
  readonly abort: AbortController
  readonly outcome: Promise<RequestOutcome>
}

/**
 * The requests that users send from pages. A call belongs to the host: it goes on while no page is there, until it is
 * answered, cancelled by the user, or its connection ends. A page that is loaded again finds it, or its outcome.
 */
export class Calls {
  readonly #running = new Map<string, Running>()
  readonly #history: CallHistory
  readonly #options: CallsOptions

  constructor(options: CallsOptions) {
    this.#options = options
    this.#history = new CallHistory(options.files)
  }

  /**
   * Sends one request. Resolves with whatever became of it.
   *
   * @throws HostError `NOT_CONNECTED`, `INVALID_PARAMS` or `CALL_IN_PROGRESS`; then nothing was sent
   */
  async request(live: LiveServer, call: Call): Promise<RequestOutcome> {
    const { callId, tab, argumentsText = '' } = call
    const { connection } = live
    if (connection === undefined) {
      throw new HostError('NOT_CONNECTED', 'There is no open connection to this server. Connect it first.')
    }
    if (this.#running.has(callId)) {
      throw new HostError('CALL_IN_PROGRESS', `A call named ${callId} is still running.`)
    }
    const params = readParams(call.paramsText)
    const abort = new AbortController()
    const at = Date.now()
    const outcome = this.#send(live, connection, { call, params, signal: abort.signal })
    this.#running.set(callId, { call, at, abort, outcome })
    const isStored = this.#options.isRecorded(call.serverId)
    if (tab !== undefined && isStored) this.#history.started(tab, { callId, at, argumentsText })
    try {
      const ended = await outcome
      if (tab !== undefined) this.#history.add(tab, { callId, at, argumentsText, outcome: ended }, isStored)
      return ended
    } finally {
      this.#running.delete(callId)
    }
  }

  /** Returns false if no such call is running. */
  cancel(callId: string): boolean {
    const running = this.#running.get(callId)
    running?.abort.abort()
    return running !== undefined
  }

  /** The calls of a tab: those that are running, oldest first, and those that ended, newest first. */
  async of(tab: string): Promise<{ running: RunningCall[]; ended: EndedCall[] }> {
    const ended = await this.#history.of(tab)
    const running = [...this.#running.values()].filter(({ call }) => call.tab === tab)
    return {
      running: running.map(({ call: { callId, argumentsText = '' }, at }) => ({ callId, at, argumentsText })),
      ended,
    }
  }

  /** Waits for the outcome of a call. @throws HostError `NOT_FOUND` if it is neither running nor kept */
  async outcome(callId: string): Promise<RequestOutcome> {
    const outcome = this.#running.get(callId)?.outcome ?? this.#history.outcome(callId)
    if (outcome !== undefined) return outcome
    throw new HostError(
      'NOT_FOUND',
      'This call is not known: Patchbay was restarted since, or it is too old.',
    )
  }

  async #send(
    live: LiveServer,
    connection: Connection,
    { call, params, signal }: { call: Call; params: JsonObject; signal: AbortSignal },
  ): Promise<RequestOutcome> {
    const { events, outputChecks, questions, activeFaults } = this.#options
    const faults = activeFaults(call.serverId)
    const startedAt = performance.now()
    const wait = questions.measureWait(call.serverId)
    const facts = (bytes?: Uint8Array) => {
      const exchangeId = bytes === undefined ? undefined : this.#options.traffic.exchangeIdOf(bytes)
      const waitedMs = wait.elapsedMs()
      return {
        durationMs: performance.now() - startedAt,
        ...(waitedMs > 0 && { waitedMs }),
        revision: connection.revision,
        ...(exchangeId !== undefined && { exchangeId }),
        ...(faults > 0 && { faults }),
      }
    }
    try {
      const { result, bytes } = await connection.request(call.method, params, {
        signal,
        // What is sent by hand goes to the server.
        cache: 'off',
        // An error that wants an address visited first is shown as the answer that it is, with an entry in the inbox and
        // the call to make again: not every server tells when the visit is over.
        ...(connection.era === 'legacy' && { rounds: 'manual' }),
        ...(call.timeoutMs !== undefined && { timeoutMs: call.timeoutMs }),
        onProgress: (progress) => {
          events.publish({ type: 'progress', progress: { callId: call.callId, ...progress } })
        },
      })
      const known = facts(bytes)
      live.answered(serverMs(known))
      const answer = { ...known, messageText: this.#shown(textOf(bytes)), bytes: bytes.byteLength }
      const isToolCall = call.method === 'tools/call'
      const taskId = isToolCall ? live.inspection.tasks.started(connection, params, result) : undefined
      if (taskId !== undefined) return { type: 'task', ...answer, taskId }
      const tool = isToolCall ? params['name'] : undefined
      const outputCheck = await outputChecks.check(call.serverId, tool, result)
      return { type: 'result', ...answer, outputCheck }
    } catch (error) {
      if (error instanceof ProtocolError) {
        const bytes = error instanceof PeerError ? error.bytes : undefined
        if (error.code === ErrorCode.urlElicitationRequired && bytes !== undefined) {
          const { revision } = connection
          await questions.urlRequired(call, { revision, bytes, data: error.data })
        }
        const known = facts(bytes)
        live.answered(serverMs(known))
        return {
          type: 'error',
          ...known,
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
      const known = facts(bytes)
      const failure = isLost(error) ? await connection.closed.then(() => live.failure) : undefined
      return {
        type: 'failure',
        ...known,
        code,
        message: this.#shown(error.message),
        ...(failure !== undefined && { connection: failure }),
      }
    } finally {
      wait.close()
    }
  }

  /** An answer is shown as it was received, except for stored secrets that it repeats. */
  #shown(text: string): string {
    return this.#options.traffic.masking.text(text)
  }

  #shownValue(value: unknown): unknown {
    const text = stringifyExact(value)
    const shown = this.#shown(text)
    if (shown === text) return value
    try {
      return parseExact(shown)
    } catch (error) {
      // A secret that was a number or stood for more than one value: what is left is not JSON, and still safe to show.
      if (error instanceof SyntaxError) return shown
      throw error
    }
  }
}

/** Whether the connection ended by itself. One that we end is not a failure, and may take a while to end. */
function isLost(error: Error): boolean {
  if (!(error instanceof RequestFailedError) || error.code !== 'closed') return false
  return error.cause instanceof TransportError && error.cause.code !== 'closed'
}

/** The time that the server took, without the time in which its questions waited for answers. */
function serverMs({ durationMs, waitedMs = 0 }: { durationMs: number; waitedMs?: number }): number {
  return Math.max(0, durationMs - waitedMs)
}

function readParams(text: string): JsonObject {
  let value: unknown
  try {
    value = parseExact(text.trim() === '' ? '{}' : text, 'text')
  } catch (error) {
    const detail = messageOf(error)
    throw new HostError('INVALID_PARAMS', `The parameters are invalid JSON: ${detail}`, { cause: error })
  }
  if (!isJsonObject(value)) {
    throw new HostError('INVALID_PARAMS', 'The parameters must be a JSON object, in braces.')
  }
  return value
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
