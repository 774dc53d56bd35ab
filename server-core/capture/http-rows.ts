import { closeRequest, settle, type Ending } from './closing.ts'
import type { Connection } from './connection.ts'
import { safeLabel } from './labels.ts'
import type { Row, StoredFrame } from './row.ts'
import { countInstant, joinRow, ROW_FRAMES } from './row-growth.ts'
import type { RowStore } from './row-store.ts'

/** Noise alike that comes closer than this, with nothing between it, is one row. */
const SAME_INVALID_MS = 1_000

/**
 * An HTTP head without a message. It belongs to the message whose HTTP request it answers: a failure there ends
 * the request. A head that goes the other way than an answer would (the client gave the HTTP exchange up) cancels
 * it. Any other head is a row of its own.
 */
export function foldHttp(store: RowStore, connection: Connection, frame: StoredFrame): void {
  const row = connection.httpRow(frame)
  if (row === undefined || row.frames.length >= ROW_FRAMES) {
    startHttp(store, connection, frame)
    return
  }
  joinRow(row, frame)
  const ending = frame.direction === row.direction ? { type: 'cancelled' as const } : endingOf(frame)
  if (row.kind === 'http') endHttp(row, frame, ending)
  else if (ending !== undefined) end(store, row, frame, ending)
  if (row.kind === 'http') connection.open.delete(row)
  store.touch(row)
}

/**
 * Bytes that are not the message expected there. As the whole answer to an HTTP request they end it; in a
 * stream or on stdout they are a row of their own.
 */
export function foldInvalid(
  store: RowStore,
  connection: Connection,
  frame: StoredFrame,
  why: string,
  parent?: Row,
): void {
  const reason = safeLabel(why)
  const asked = connection.httpRow(frame)
  const isAnswer = asked !== undefined && frame.kind === 'invalid' && frame.http?.event === undefined
  if (isAnswer && connection.open.has(asked) && asked.direction !== frame.direction) {
    joinRow(asked, frame)
    end(store, asked, frame, endingOf(frame) ?? { type: 'broken', reason })
    return
  }
  const label = frame.kind === 'invalid' ? beginning(frame.bytes) : reason
  const around = parent ?? asked
  const newest = connection.newest
  const again =
    newest?.kind === 'invalid' &&
    newest.label === label &&
    newest.parent === around &&
    newest.frames.length < ROW_FRAMES &&
    frame.at - (newest.endedAt ?? newest.startedAt) < SAME_INVALID_MS
  if (again) {
    joinRow(newest, frame)
    countInstant(newest, frame.at)
    store.touch(newest)
    return
  }
  const row = store.start(
    {
      connection,
      parent: around,
      kind: 'invalid',
      direction: frame.direction,
      method: frame.kind === 'invalid' ? 'invalid' : 'message',
      label,
      outcome: 'error',
    },
    frame,
  )
  row.errorMessage = reason
}

function startHttp(store: RowStore, connection: Connection, frame: StoredFrame): void {
  const row = store.start(
    {
      connection,
      kind: 'http',
      direction: 'sent',
      method: safeLabel(frame.http?.method ?? ''),
      label: safeLabel(frame.http?.url ?? ''),
      outcome: 'open',
    },
    frame,
  )
  connection.addHttpExchange(row, frame)
  if (frame.direction === 'received') endHttp(row, frame, endingOf(frame))
  else connection.open.add(row)
}

function endHttp(row: Row, frame: StoredFrame, ending: Ending | undefined): void {
  if (row.outcome !== 'open') return
  if (ending === undefined) {
    row.outcome = 'ok'
    row.endedAt = frame.at
  } else settle(row, frame, ending)
  // A server that offers no stream of its own says so with 405; that is an answer, not a fault.
  if (row.method === 'GET' && row.errorCode === 405) row.outcome = 'none'
}

/** How a head ends the request it answers: not at all, if the status is one of success. */
function endingOf(frame: StoredFrame): Ending | undefined {
  const status = frame.http?.status
  if (status === undefined)
    return frame.kind === 'http' ? { type: 'lost', reason: beginning(frame.bytes) } : undefined
  if (status < 400) return undefined
  const said = beginning(frame.bytes)
  return { type: 'http-error', status, reason: said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}` }
}

/** Ends the message's row, if it is not over: a request, or a notification that was refused. */
function end(store: RowStore, row: Row, frame: StoredFrame, ending: Ending): void {
  if (row.kind !== 'request') settle(row, frame, ending)
  else if (row.connection.open.has(row)) closeRequest(store, row, frame, ending)
}

function beginning(bytes: Uint8Array): string {
  return safeLabel(new TextDecoder().decode(bytes.subarray(0, 2_048)))
}
