import type { Exchange } from '../capture/exchange.ts'
import type { RecordedFrame } from '../capture/recording/recording-format.ts'
import { TrafficLog } from '../capture/traffic-log.ts'
import type { Frame } from '../ports/tap.ts'
import type { NumberedFrame } from './recording-view.ts'

const NO_BOUNDS = { frameBytes: Infinity, rows: Infinity }

/** The server that recorded frames belong to, by the id that it has among the servers of the reader. */
export type ServerIds = (serverName: string) => string

/**
 * The rows of recorded frames, in time order, as the timeline shows them. Rows and frames have numbers of the recording: the
 * id of a row is the number of its first frame.
 */
export function rowsOfFrames(
  frames: readonly NumberedFrame[],
  serverIdOf: ServerIds = (name) => name,
): Exchange[] {
  const log = new TrafficLog({ bounds: NO_BOUNDS })
  const connections = new Map<number, (frame: Frame, at: number) => number>()
  const numberOf = new Map<number, number>()
  for (const frame of frames) {
    const { number, serverName, side } = frame.connection
    let add = connections.get(number)
    if (add === undefined) {
      add = log.earlier({ serverId: serverIdOf(serverName), serverName, side })
      connections.set(number, add)
    }
    numberOf.set(add(tappedFrame(frame), frame.at), frame.number)
  }
  const rows = log.rows()
  const idOf = new Map(rows.map((row) => [row.id, String(numberOf.get(row.frames[0] ?? -1) ?? row.id)]))
  return rows.map((row) => ({
    ...row,
    id: idOf.get(row.id) ?? row.id,
    ...(row.parentId !== undefined && { parentId: idOf.get(row.parentId) }),
    frames: row.frames.flatMap((seq) => numberOf.get(seq) ?? []),
  }))
}

/** A recorded frame as the transport passed it to its tap. */
export function tappedFrame({
  kind,
  connection,
  direction,
  bytes,
  http,
  reason,
  event,
}: RecordedFrame): Frame {
  const seen = connection.side === 'client' ? direction : direction === 'sent' ? 'received' : 'sent'
  const facts = http === undefined ? {} : { http }
  switch (kind) {
    case 'message':
      return { kind, direction: seen, bytes, ...facts }
    case 'invalid':
      return { kind: 'invalid', direction: seen, bytes, reason: reason ?? '', ...facts }
    case 'stderr':
      return { kind, direction: 'received', bytes }
    case 'http':
      return http === undefined
        ? { kind: 'invalid', direction: seen, bytes, reason: 'an HTTP head is missing' }
        : { kind, direction: seen, bytes, http }
    case 'fault':
      return { kind, direction: 'sent', bytes, ...facts }
    case 'lifecycle':
      return { kind: 'lifecycle', direction: seen, bytes, event: event ?? 'opened', note: reason ?? '' }
  }
}
