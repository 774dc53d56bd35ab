import type { WebSocket } from 'ws'
import { parsedOf } from '../frames/parsed-value.ts'
import { ExamConnection } from './exam-connection.ts'
import type { ExamParts } from './exam-parts.ts'
import { receive } from './exam-session.ts'
import { LineReplies } from './line-replies.ts'

/** Serves one WebSocket of the examined client. */
export function serveWebSocket(socket: WebSocket, parts: ExamParts): void {
  const { log, cell, dialogue, onConnection, onError } = parts
  const connection = new ExamConnection('websocket', {
    log,
    captured: log.connection('websocket', cell.revision),
    answerMs: parts.answerMs,
    end: () => {
      socket.close(1001)
    },
  })
  connection.notes.set('socket', socket)
  connection.deliverBy((bytes, pieces = [bytes]) => {
    for (const [index, piece] of pieces.entries())
      socket.send(piece, { binary: false, fin: index === pieces.length - 1, compress: false })
  })
  const replies = new LineReplies(connection)
  socket.on('message', (data, isBinary) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0)
    const parsed = isBinary ? { ok: false as const } : parsedOf(bytes)
    const frame = log.record(connection.captured, {
      from: 'client',
      bytes,
      ...(parsed.ok
        ? { kind: 'message', value: parsed.value }
        : { kind: 'invalid', reason: isBinary ? 'a binary message' : 'a text message that is not JSON' }),
    })
    receive(frame, connection, dialogue, replies, onError)
  })
  socket.on('error', () => undefined)
  socket.on('close', (code, reason) => {
    connection.ended(`closed with ${code} ${reason.toString()}`.trim())
  })
  onConnection(connection)
}
