import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { CapturedFrame } from '../frames/captured-frame.ts'
import type { Dialogue } from './dialogue.ts'
import type { ExamConnection } from './exam-connection.ts'
import type { Reply } from './reply.ts'
import { isResponse } from '../probe/inbox.ts'
import type { Outcome } from '../probe/outcome.ts'

/** How the reply to one request, and what comes before it, reach the client. */
export type ReplyWriter = {
  readonly headers: Readonly<Record<string, string>>
  /** Before the reply. */
  readonly send: (message: unknown) => CapturedFrame
  readonly reply: (request: JsonObject, reply: Reply) => void
  /** Streamable HTTP: begins an event stream. */
  readonly begin?: () => void
}

/** Handles what a client wrote: notes it and lets the dialogue answer each request. */
export function receive(
  frame: CapturedFrame,
  connection: ExamConnection,
  dialogue: Dialogue,
  writer: ReplyWriter,
  onError: (error: unknown) => void,
): void {
  connection.inbox.add(frame)
  const messages = Array.isArray(frame.value) ? (frame.value as unknown[]) : [frame.value]
  for (const message of messages) {
    if (!isJsonObject(message)) continue
    note(message, connection)
    if (isResponse(message) || !('id' in message)) continue
    answer(message, connection, dialogue, writer).catch(onError)
  }
}

function note(message: JsonObject, connection: ExamConnection): void {
  const { method, params } = message
  if (method === 'initialize' && isJsonObject(params)) connection.initialize = params
  if (method === 'notifications/initialized') connection.isInitialized = true
}

async function answer(
  request: JsonObject,
  connection: ExamConnection,
  dialogue: Dialogue,
  writer: ReplyWriter,
): Promise<void> {
  const ask = (method: string, params?: JsonObject, id: unknown = connection.nextId()): Promise<Outcome> => {
    const from = connection.inbox.messages.length
    const sent = writer.send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) })
    return connection.outcome(sent, id, from)
  }
  const { headers, send } = writer
  const stream = () => writer.begin?.()
  const reply = await dialogue.reply({ request, connection, headers, send, ask, stream })
  writer.reply(request, reply)
}
