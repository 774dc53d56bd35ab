import { isJsonObject } from '../protocol/json.ts'
import { classifyMessage, type JsonRpcRequest } from '../protocol/messages.ts'
import { answerOf, type Answer } from './answers.ts'
import { closeRequest, settle } from './closing.ts'
import type { Connection } from './connection.ts'
import { foldHttp, foldInvalid } from './http-rows.ts'
import { labelOf, safeLabel } from './labels.ts'
import { foldNotification } from './notifications.ts'
import type { Row, StoredFrame } from './row.ts'
import { joinRow, ROW_FRAMES, startWait } from './row-growth.ts'
import type { RowStore } from './row-store.ts'
import { opposite } from './stored-frame.ts'

/** Writes to stderr closer than this are one row. */
const SAME_WRITE_MS = 100
/** So many faults are named at the request that they hit. */
const FAULTS = 8
/** So many messages of one batch become rows of their own. */
const BATCH_ROWS = 1_000

/** The parsed value of a message, or why there is none. */
export type Content =
  { readonly readable: true; readonly value: unknown } | { readonly readable: false; readonly reason: string }

/**
 * Folds a connection's frames, in order, into rows: an answer into its request by id, progress by token, a
 * server's question into the call it belongs to, a retry into the request that was answered with
 * `input_required` (protocol: base messages, cancellation, progress, multi round-trip requests).
 */
export class ExchangeFolder {
  readonly #store: RowStore

  constructor(store: RowStore) {
    this.#store = store
  }

  /** Folds one frame; `content` is what a message says. Never throws. */
  fold(connection: Connection, frame: StoredFrame, content: Content): void {
    switch (frame.kind) {
      case 'message':
        if (!content.readable) this.#strange(connection, frame, content.reason)
        else if (Array.isArray(content.value)) this.#foldBatch(connection, frame, content.value)
        else this.#foldMessage(connection, frame, content.value)
        break
      case 'invalid':
        foldInvalid(this.#store, connection, frame, frame.reason ?? '')
        break
      case 'http':
        foldHttp(this.#store, connection, frame)
        break
      case 'stderr':
        this.#foldStderr(connection, frame)
        break
      case 'fault':
        this.#foldFault(connection, frame)
        break
      case 'lifecycle':
        this.#foldLifecycle(connection, frame)
        break
    }
  }

  #foldBatch(connection: Connection, frame: StoredFrame, items: readonly unknown[]): void {
    for (const item of items.slice(0, BATCH_ROWS)) this.#foldMessage(connection, frame, item)
    if (items.length > BATCH_ROWS || items.length === 0) {
      const reason =
        items.length === 0 ? 'an empty batch' : `a batch of ${items.length}, shown are ${BATCH_ROWS}`
      this.#strange(connection, frame, reason)
    }
  }

  #foldMessage(connection: Connection, frame: StoredFrame, value: unknown): void {
    const classified = classifyMessage(value)
    switch (classified.type) {
      case 'request':
        this.#foldRequest(connection, frame, classified.message)
        break
      case 'notification':
        foldNotification(this.#store, connection, frame, classified.message)
        break
      case 'result':
      case 'error':
        this.#foldAnswer(connection, frame, answerOf(classified.message))
        break
      case 'batch':
        this.#strange(connection, frame, 'a batch inside a batch')
        break
      case 'invalid':
        if (classified.id === undefined || (isJsonObject(value) && 'method' in value)) {
          this.#strange(connection, frame, classified.reason)
        } else {
          this.#foldAnswer(connection, frame, {
            type: 'invalid',
            id: classified.id,
            reason: classified.reason,
          })
        }
        break
    }
  }

  #foldRequest(connection: Connection, frame: StoredFrame, message: JsonRpcRequest): void {
    const row = this.#retried(connection, frame, message) ?? this.#newRequest(connection, frame, message)
    connection.addId(row, message.id)
    connection.addHttpExchange(row, frame)
    const meta = message.params?.['_meta']
    const token = isJsonObject(meta) ? meta['progressToken'] : undefined
    if (typeof token === 'string' || typeof token === 'number') connection.addToken(row, token)
  }

  #newRequest(connection: Connection, frame: StoredFrame, message: JsonRpcRequest): Row {
    const asked = frame.direction === 'received' && message.method !== 'ping'
    const parent = asked ? connection.around(frame) : undefined
    const row = this.#store.start(
      {
        connection,
        parent,
        kind: 'request',
        direction: frame.direction,
        method: safeLabel(message.method),
        label: labelOf(message.method, message.params),
        outcome: 'open',
      },
      frame,
    )
    connection.open.add(row)
    row.isProbe = isProbe(connection, row)
    if (parent !== undefined) {
      row.wait = startWait(parent, frame.at)
      this.#store.touch(parent)
    }
    return row
  }

  /** The row this request goes on with: the same question again, with what the server asked for. */
  #retried(connection: Connection, frame: StoredFrame, message: JsonRpcRequest): Row | undefined {
    if (connection.waiting.size === 0 || frame.direction !== 'sent') return undefined
    const state = message.params?.['requestState']
    const responses = message.params?.['inputResponses']
    const label = labelOf(message.method, message.params)
    const method = safeLabel(message.method)
    for (const row of connection.waiting) {
      if (row.method !== method || row.label !== label || row.frames.length >= ROW_FRAMES) continue
      if (row.requestState === undefined ? !isJsonObject(responses) : row.requestState !== state) continue
      connection.waiting.delete(row)
      row.rounds += 1
      const wait = row.waits?.at(-1)
      if (wait !== undefined) wait.endedAt ??= frame.at
      for (const [key, question] of row.questions ?? []) {
        const response = isJsonObject(responses) && Object.hasOwn(responses, key) ? responses[key] : undefined
        joinRow(question, frame)
        settle(
          question,
          frame,
          response === undefined ? { type: 'unanswered' } : { type: 'response', response },
        )
        this.#store.touch(question)
      }
      row.questions = undefined
      joinRow(row, frame)
      this.#store.touch(row)
      return row
    }
    return undefined
  }

  #foldAnswer(connection: Connection, frame: StoredFrame, answer: Answer): void {
    const asker = opposite(frame.direction)
    const row =
      answer.id === undefined ? connection.httpRequest(frame) : connection.request(asker, answer.id, frame)
    if (row === undefined) {
      const id = answer.id === undefined ? 'without an id' : `to the unknown id ${JSON.stringify(answer.id)}`
      const said = answer.type === 'error' ? `: ${answer.message}` : ''
      this.#strange(connection, frame, `an answer ${id}${said}`)
      return
    }
    if (!connection.awaits(row, answer.id)) {
      const why = row.outcome === 'cancelled' ? 'an answer after the cancellation' : 'a second answer'
      this.#strange(connection, frame, `${why} to id ${JSON.stringify(answer.id)}`, row)
      return
    }
    if (answer.type === 'result' && row.direction === 'sent') connection.isAgreed = true
    joinRow(row, frame)
    if (answer.type === 'input-required' && row.direction === 'sent')
      this.#ask(connection, frame, row, answer)
    else closeRequest(this.#store, row, frame, answer)
    this.#store.touch(row)
  }

  /** The server answered with questions: the row waits, each question is a row inside it. */
  #ask(
    connection: Connection,
    frame: StoredFrame,
    row: Row,
    answer: Extract<Answer, { type: 'input-required' }>,
  ): void {
    row.requestState = answer.requestState
    connection.waiting.add(row)
    startWait(row, frame.at)
    row.questions = new Map()
    for (const { key, method, params } of answer.questions) {
      const question = this.#store.start(
        {
          connection,
          parent: row,
          kind: 'request',
          direction: 'received',
          method: safeLabel(method),
          label: labelOf(method, params),
          outcome: 'open',
        },
        frame,
      )
      row.questions.set(key, question)
    }
  }

  #foldStderr(connection: Connection, frame: StoredFrame): void {
    const text = new TextDecoder().decode(frame.bytes.subarray(0, 2_048))
    const line = safeLabel(text.split('\n').find((each) => each.trim() !== '') ?? '')
    const lines = countLines(frame.bytes)
    const newest = connection.newest
    const goesOn =
      newest?.kind === 'stderr' &&
      newest.frames.length < ROW_FRAMES &&
      frame.at - (newest.endedAt ?? newest.startedAt) < SAME_WRITE_MS
    if (goesOn) {
      joinRow(newest, frame)
      newest.count += lines
      newest.endedAt = frame.at
      if (newest.label === '') newest.label = line
      this.#store.touch(newest)
      return
    }
    const row = this.#store.start(
      { connection, kind: 'stderr', direction: 'received', method: 'stderr', label: line, outcome: 'none' },
      frame,
    )
    row.count = lines
  }

  /** A fault that was made on purpose; it belongs to the call it happened to. */
  #foldFault(connection: Connection, frame: StoredFrame): void {
    const text = safeLabel(new TextDecoder().decode(frame.bytes.subarray(0, 2_048)))
    const hit = connection.httpRow(frame) ?? connection.around(frame)
    if (hit !== undefined && (hit.faults?.length ?? 0) < FAULTS) {
      hit.faults = [...(hit.faults ?? []), text]
      this.#store.touch(hit)
    }
    this.#store.start(
      {
        connection,
        parent: hit,
        kind: 'fault',
        direction: 'received',
        method: 'fault',
        label: text,
        outcome: 'none',
      },
      frame,
    )
  }

  #foldLifecycle(connection: Connection, frame: StoredFrame): void {
    const opened = frame.event === 'opened'
    this.#store.start(
      {
        connection,
        kind: 'lifecycle',
        direction: 'received',
        method: opened ? 'opened' : 'closed',
        label: safeLabel(frame.reason ?? ''),
        outcome: 'none',
      },
      frame,
    )
    if (opened) return
    for (const row of [...connection.open]) closeRequest(this.#store, row, frame, { type: 'lost' })
  }

  /** A message that is not JSON-RPC, or answers nothing that was asked. */
  #strange(connection: Connection, frame: StoredFrame, reason: string, parent?: Row): void {
    foldInvalid(this.#store, connection, frame, reason, parent)
  }
}

/** Whether Patchbay's client asks by itself, before anything was agreed, which revisions the server supports. */
function isProbe({ source, isAgreed }: Connection, { direction, method }: Row): boolean {
  return source.side === 'client' && direction === 'sent' && method === 'server/discover' && !isAgreed
}

function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines += 1
  return bytes.length > 0 && bytes.at(-1) !== 0x0a ? lines + 1 : lines
}
