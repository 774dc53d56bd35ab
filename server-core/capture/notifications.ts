import type { JsonRpcNotification } from '../protocol/messages.ts'
import { closeRequest } from './closing.ts'
import type { Connection } from './connection.ts'
import { labelOf, safeLabel } from './labels.ts'
import type { Row, StoredFrame } from './row.ts'
import { countInstant, joinRow, ROW_FRAMES } from './row-growth.ts'
import type { RowStore } from './row-store.ts'
import { opposite } from './stored-frame.ts'

/** Notifications alike that come closer than this, with nothing between them, are one row. */
const SAME_ROW_MS = 1_000

type Params = JsonRpcNotification['params']

/**
 * Folds a notification: progress into one row of its request, a cancellation into the request it ends, a log
 * message into the exchange around it, the same thing said again into the row that said it first. Change notices
 * of a subscription are rows in time order, outside of the request that subscribed.
 */
export function foldNotification(
  store: RowStore,
  connection: Connection,
  frame: StoredFrame,
  message: JsonRpcNotification,
): void {
  const { params } = message
  const parent = parentOf(store, connection, frame, message)
  const method = safeLabel(message.method)
  const label = labelOf(message.method, params)
  const same = sameRow(connection, frame, { method, label, parent })
  if (same !== undefined) {
    joinRow(same, frame)
    countInstant(same, frame.at)
    same.label = label
    connection.addHttpExchange(same, frame)
    store.touch(same)
    return
  }
  const { direction } = frame
  const row = store.start(
    { connection, parent, kind: 'notification', direction, method, label, outcome: 'none' },
    frame,
  )
  connection.addHttpExchange(row, frame)
  if (method === 'notifications/progress' && parent !== undefined) parent.progressRow = row
}

function parentOf(
  store: RowStore,
  connection: Connection,
  frame: StoredFrame,
  { method, params }: JsonRpcNotification,
): Row | undefined {
  const request = connection.httpRequest(frame)
  const acknowledges = method === 'notifications/subscriptions/acknowledged'
  const near = request?.method === 'subscriptions/listen' && !acknowledges ? undefined : request
  switch (method) {
    case 'notifications/progress':
      return progressed(store, connection, frame, params) ?? near
    case 'notifications/cancelled':
      return cancelled(store, connection, frame, params) ?? near
    case 'notifications/message':
      return near ?? connection.around(frame)
    default:
      return near
  }
}

/** The row that one more notification like it goes into: a call's progress, or the same thing said just before. */
function sameRow(
  connection: Connection,
  frame: StoredFrame,
  next: { readonly method: string; readonly label: string; readonly parent: Row | undefined },
): Row | undefined {
  const progress = next.method === 'notifications/progress' ? next.parent?.progressRow : undefined
  const row = progress ?? connection.newest
  if (row === undefined || row.isDropped || row.frames.length >= ROW_FRAMES) return undefined
  if (row === progress) return row
  const alike =
    row.kind === 'notification' &&
    row.method === next.method &&
    row.label === next.label &&
    row.parent === next.parent &&
    row.direction === frame.direction &&
    frame.at - (row.endedAt ?? row.startedAt) < SAME_ROW_MS
  return alike ? row : undefined
}

function progressed(
  store: RowStore,
  connection: Connection,
  frame: StoredFrame,
  params: Params,
): Row | undefined {
  const row = connection.progressing(opposite(frame.direction), params?.['progressToken'], frame)
  const value = params?.['progress']
  const total = params?.['total']
  if (row !== undefined && typeof value === 'number') {
    row.progress = { value, ...(typeof total === 'number' ? { total } : {}) }
    store.touch(row)
  }
  return row
}

/** Either side's cancellation: of its own request, or (to end a subscription) of the other's. */
function cancelled(
  store: RowStore,
  connection: Connection,
  frame: StoredFrame,
  params: Params,
): Row | undefined {
  const id = params?.['requestId']
  const own = connection.request(frame.direction, id, frame)
  const row = own ?? connection.request(opposite(frame.direction), id, frame)
  if (row !== undefined && connection.open.has(row)) closeRequest(store, row, frame, { type: 'cancelled' })
  return row
}
